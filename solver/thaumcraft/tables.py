"""The facts about aspects, as tables: tag, tint of the icon (#RRGGBB) and, for a compound, its two
components.

Thaumcraft 4.2.3.5 for Minecraft 1.7.10 and the addon mods found with it. Packs change recipes, so nothing
else in the solver knows a tag by name: see `Aspects.parse` for the format and `OLDER` for recipes that
changed.
"""

from __future__ import annotations

VANILLA_TABLE = """
aer           #FFFF7E
terra         #56C000
ignis         #FF5A01
aqua          #3CD4FC
ordo          #D5D4EC
perditio      #404040
vacuos        #888888 aer perditio
lux           #FFF663 aer ignis
tempestas     #FFFFFF aer aqua
motus         #CDCCF4 aer ordo
gelum         #E1FFFF ignis perditio
vitreus       #80FFFF terra ordo
victus        #DE0005 aqua terra
venenum       #89F000 aqua perditio
potentia      #C0FFFF ordo ignis
permutatio    #578357 perditio ordo
metallum      #B5B5CD terra vitreus
mortuus       #887788 victus perditio
volatus       #E7E7D7 aer motus
tenebrae      #222222 vacuos lux
spiritus      #EBEBFB victus mortuus
sano          #FF2F34 victus ordo
iter          #E0585B motus terra
alienis       #805080 vacuos tenebrae
praecantatio  #9700C0 vacuos potentia
auram         #FFC0FF praecantatio aer
vitium        #800080 praecantatio perditio
limus         #01F800 victus aqua
herba         #01AC00 victus terra
arbor         #876531 aer herba
bestia        #9F6409 motus victus
corpus        #EE478D mortuus bestia
exanimis      #3A4000 motus mortuus
cognitio      #FFC2B3 ignis spiritus
sensus        #0FD9FF aer spiritus
humanus       #FFD7C0 bestia cognitio
messis        #E1B371 herba humanus
perfodio      #DCD2D8 humanus terra
instrumentum  #4040EE humanus ordo
meto          #EEAD82 messis instrumentum
telum         #C05050 instrumentum ignis
tutamen       #00C0C0 instrumentum terra
fames         #9A0305 victus vacuos
lucrum        #E6BE44 humanus fames
fabrico       #809D80 humanus instrumentum
pannus        #EAEAC2 instrumentum bestia
machina       #8080A0 motus instrumentum
vinculum      #9A8080 motus perditio
"""

# The addons of the pack GT New Horizons (Forbidden Magic, Magic Bees, GregTech and others).
GTNH_TABLE = """
infernus      #FF0000 ignis praecantatio
luxuria       #FFC1CE corpus fames
superbia      #9639FF volatus vacuos
gula          #D59C46 fames vacuos
invidia       #00BA00 sensus fames
desidia       #6E6E6E vinculum spiritus
ira           #870404 telum ignis
tempus        #B68CFF vacuos ordo
strontio      #EEC2B3 cognitio perditio
nebrisum      #EEEE7E perfodio lucrum
electrum      #C0EEEE potentia machina
magneto       #C0C0C0 metallum iter
radio         #C0FFC0 lux potentia
terminus      #B90000 lucrum alienis
caelum        #5E74CF vitreus metallum
tabernus      #4C8569 tutamen iter
custom1       #EEF0EA cognitio ordo
custom2       #1B122C cognitio vitium
custom3       #F7F7DB vacuos motus
custom4       #2D2C2B lux custom3
custom5       #FFE980 humanus iter
"""

# Addons outside that pack.
OTHER_TABLE = """
tincturem     - lux ordo
sanctus       - spiritus auram
exubitor      - alienis mortuus
mru           - praecantatio potentia
radiation     - mru motus
matrix        - mru humanus
coralos       - venenum aqua
dreadia       - venenum ignis
"""

# Recipes of older versions where they differ from 4.2.3.5; saxum and granum are gone since and their tints
# unknown.
OLDER: dict[str, str] = {
    "4.1.0g - 4.1.1.8": """
motus         - aer aqua
saxum         - terra terra
tempestas     - aer gelum
gelum         - aqua ordo
vitreus       - aqua saxum
sano          - victus victus
venenum       - aqua mortuus
granum        - ordo victus
herba         - granum terra
cognitio      - spiritus terra
metallum      - ordo saxum
perfodio      - humanus saxum
telum         - instrumentum perditio
permutatio    - aqua motus
""",
    "4.1.1.9 - 4.1.1.11": """
gelum         - aqua ordo
vitreus       - aqua terra
venenum       - aqua mortuus
permutatio    - aqua motus
sano          - victus victus
cognitio      - spiritus terra
telum         - instrumentum perditio
""",
    "4.1.1.12 - 4.1.1.13": """
gelum         - aqua perditio
arbor         - aer victus
cognitio      - spiritus terra
meto          - instrumentum lucrum
telum         - instrumentum perditio
""",
    "4.1.1.14 - 4.2.1.4": """
cognitio      - spiritus terra
telum         - instrumentum perditio
""",
}
