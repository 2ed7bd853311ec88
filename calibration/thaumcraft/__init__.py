"""Learns how the icons of Thaumcraft look: from the game's own files, or from a picture with the text of its note."""
