"""Reads an Algemy screen: the lattice from its lines, crystals and sources from hue and faces, the wheel."""
