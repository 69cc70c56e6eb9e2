VIDE = "."


def creer_grille():
    return [[VIDE] * 3 for _ in range(3)]


def afficher(grille):
    for l in grille:
        print(" ".join(l))


def coups_possibles(grille):
    return [(i + 1, j + 1) for i in range(3) for j in range(3) if grille[i][j] == VIDE]


def jouer_coup(grille, coup, joueur):
    nouvelle = [l[:] for l in grille]
    nouvelle[coup[0] - 1][coup[1] - 1] = joueur
    return nouvelle


def a_gagne(grille, joueur):
    for k in range(3):
        if all(grille[k][j] == joueur for j in range(3)):
            return True
        if all(grille[i][k] == joueur for i in range(3)):
            return True
    return all(grille[i][i] == joueur for i in range(3)) or all(
        grille[i][2 - i] == joueur for i in range(3)
    )


def match_nul(grille):
    return not coups_possibles(grille) and not a_gagne(grille, "X") and not a_gagne(grille, "O")


def fin_partie(grille):
    return a_gagne(grille, "X") or a_gagne(grille, "O") or match_nul(grille)


def jouer():
    grille, joueur = creer_grille(), "X"
    while not fin_partie(grille):
        afficher(grille)
        try:
            i, j = map(int, input(f"{joueur} ligne colonne: ").split())
        except ValueError:
            print("non")
            continue
        if (i, j) not in coups_possibles(grille):
            print("coup invalide")
            continue
        grille = jouer_coup(grille, (i, j), joueur)
        joueur = "O" if joueur == "X" else "X"
    if a_gagne(grille, "X"):
        print("Le joueur X a gagné")
    elif a_gagne(grille, "O"):
        print("Le joueur O a gagné")
    else:
        print("Match nul")


def minimax(grille, profondeur, maximise):
    if a_gagne(grille, "O"):
        return 10 - profondeur
    if a_gagne(grille, "X"):
        return profondeur - 10
    if match_nul(grille):
        return 0
    vals = [
        minimax(jouer_coup(grille, c, "O" if maximise else "X"), profondeur + 1, not maximise)
        for c in coups_possibles(grille)
    ]
    return max(vals) if maximise else min(vals)


def meilleur_coup(grille):
    return max(coups_possibles(grille), key=lambda c: minimax(jouer_coup(grille, c, "O"), 1, False))


if __name__ == "__main__":
    jouer()
