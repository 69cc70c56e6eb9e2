"""The protocol of Gomocup and Piskvork for five in a row, in both directions."""
