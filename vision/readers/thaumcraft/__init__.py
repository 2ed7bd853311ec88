"""Reads the Thaumcraft research table: the note, the palette and the buttons, on any of the three tables.

The picture says where and how large the table is (`locate`), how it shows colours (`light`), what the
palette holds (`palette`) and what is in each cell (`cells`); all of that makes a note (`assemble`), which the rules
of the game confirm or question (`trust`).
"""
