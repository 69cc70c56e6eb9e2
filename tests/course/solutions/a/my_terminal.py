def format_outcome(value, perspective="ai"):
    value = value if perspective == "ai" else -value
    if value >= 0.9:
        return "✓ AI wins"
    if value >= 0.3:
        return "🟢 AI advantage"
    if value > -0.3:
        return "⚖️ Draw"
    if value > -0.9:
        return "🔴 Human advantage"
    return "❌ Human wins"
