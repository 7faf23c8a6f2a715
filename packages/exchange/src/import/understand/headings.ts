import { folded } from '@openfountain/core/letters'

/**
 * Headings by their meaning, folded (lower case, without accents), in English, German, French, Italian, Spanish,
 * Catalan, Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish, Polish and Czech, and OpenStreetMap's keys. The
 * first heading of a role that a file has is preferred.
 */
const headings = {
  latitude:
    'latitude|lat|geo lat|latitud|latitudine|breitengrad|breite|geogr breite|breedtegraad|szerokosc|leveyspiiri|' +
    'y coord|coord y|ycoord|koord y|y koordinate|y wgs84|wgs84 lat|latitude wp|gps latitude|point y|location lat|' +
    'location latitude|position lat|geo latitude|coordinates lat|lat dd|northing|hochwert|nord|y|y dms|geolocation lat',
  longitude:
    'longitude|lon|lng|long|geo lon|geo lng|longitud|longitudine|laengengrad|langengrad|lange|geogr lange|' +
    'lengtegraad|dlugosc|pituuspiiri|x coord|coord x|xcoord|koord x|x koordinate|x wgs84|wgs84 lon|longitude wp|' +
    'gps longitude|point x|location lon|location lng|location longitude|position lng|position lon|geo longitude|' +
    'coordinates lng|coordinates lon|lon dd|easting|rechtswert|ost|x|x dms|geolocation lng|geolocation lon',
  position:
    'geo point 2d|geo point|geopoint|geo punto|coordinates|coordinate|coordonnees|coordenadas|coordenades|' +
    'koordinaten|coordinaten|koordinater|location 1|lat lon|latlon|lat lng|latlng|latitude longitude|position|' +
    'geolocation|gps|geoposition|punto geografico|coordinate geografiche|coordonnees geo',
  geometry:
    'geom|geometry|the geom|wkt|wkt geom|geometrie|geometria|shape|geo shape|geojson|wkb geometry|point',
  ref:
    'id|ref|source ref|identifiant|identifier|identifikator|nummer|numero|number|num|nr|gid|fid|uuid|guid|globalid|' +
    'mapid|asset id|assetid|asset number|brunnennummer|brunnen nr|brunnennr|fountain id|fountainid|waypoint id|' +
    'waterpoint id|wpid|codice|codigo|codi|code|kennung|objekt id|id fontaine|id fontana|id fuente|uid fountain|' +
    'inventarnummer|src',
  name:
    'name|title|bezeichnung|benennung|nom|nombre|nome|naam|navn|namn|nazwa|nazev|nimi|titel|titre|titolo|titulo|' +
    'fountain name|brunnenname|brunnen name|nom fontaine|denominazione|denominacion|denominacio|objektname|label|' +
    'waterpoint name|site name|name en|name de|name fr|name it|name es|name ca|name nl|name pt',
  description:
    'description|beschreibung|descriptif|descrizione|descripcion|descripcio|descricao|omschrijving|beskrivning|' +
    'beskrivelse|kuvaus|opis|popis|desc|details|detail|detailed location|location description|lagebeschreibung|' +
    'standortbeschreibung|precisions|complement|cmt',
  image:
    'image|image url|photo|photo url|foto|foto url|bild|bild url|picture|imagen|immagine|imatge|afbeelding|' +
    'billede|bilde|kuva|zdjecie|image link|photo link|waterpoint photo|waterpoint image|photo wp|lien photo|' +
    'wikimedia commons',
  maintainer:
    'operator|maintainer|betreiber|exploitant|gestionnaire|gestore|gestor|operador|operateur|beheerder|' +
    'huvudman|driftsansvarlig|maintained by|managed by|management|unterhalt|zustandigkeit|owner organisation|' +
    'department|gest',
  region:
    'region|city|addr city|town|municipality|commune|ort|stadt|gemeinde|ville|citta|comune|ciudad|municipio|' +
    'municipi|concelho|gemeente|kommun|kommune|kunta|miasto|mesto|stad|by|borough|arrondissement|suburb|addr suburb',
  district:
    'district|addr district|bezirk|stadtteil|quartier|quartiere|barrio|barri|bairro|wijk|stadsdel|bydel|' +
    'dzielnica|neighbourhood|neighborhood|neighborhood name|addr neighbourhood|stadtbezirk|kreis|distrito|' +
    'districte|addr village|village|addr place|addr hamlet|admin3|addr subcounty|ortsteil',
  street:
    'street|addr street|strasse|strassenname|rue|voie|adresse|address|indirizzo|via|direccion|adreca|morada|' +
    'adres|adress|adressi|ulica|ulice|straat|gata|vej|katu|location|standort|lage|emplacement|localisation|' +
    'localisati|ubicacion|ubicacio|ubicazione|localizacion|localizacao|place name|adr s|loc name|addr',
  houseNumber: 'addr housenumber|housenumber|house number|hausnummer|hausnr|numero de rue|n voie|no voirie',
  kind:
    'type|typ|art|kind|category|kategorie|categorie|categoria|tipo|tipus|typologie|tipologia|brunnenart|brunnentyp|' +
    'brunnenart txt|basis typ txt|type objet|fountain type|fontein type|fountain|amenity|man made|natural|' +
    'sym|modele|model|modell|wptype|water source type|pump|drinking water type|waterway|emergency|leisure|' +
    'art txt|objektart|facility type|water point type',
  drinkable:
    'drinking water|drinkable|potable|trinkwasser|trinkbar|trinkwasserqualitat|eau potable|acqua potabile|' +
    'agua potable|aigua potable|agua potavel|drinkwater|dricksvatten|drikkevann|drikkevand|a boire|potabile|' +
    'drinking water legal|is drinkable',
  status:
    'status|state|zustand|betriebszustand|etat|stato|estado|estat|toestand|operational status|functional|' +
    'functional status|functional3|functionality|in operation|in betrieb|inbetrieb|betrieb|en service|in servizio|' +
    'en servicio|in funzione|funzionante|working|dispo|disponibilite|disponible|disponibilita|disponibilidad|' +
    'available|availability|condition|operational|betriebsstatus|betriebszustand txt|status txt|' +
    'in esercizio|stato esercizio|stato impianto|stato fontanella|stato servizio|funcionamiento|funciona|in gebruik',
  statusReason:
    'motif ind|motif indisponibilite|status reason|reason|grund|motivo|abandon reason|note stato|operational status note',
  outOfOrder:
    'disused|abandoned|out of order|out of service|broken|ausser betrieb|defekt|gesperrt|hors service|en panne|' +
    'fuori servizio|guasta|guasto|fuera de servicio|averiada|fora de servei|buiten gebruik|ur funktion',
  checked:
    'check date|survey date|check date drinking water|check date amenity|check date operational status|' +
    'operational status date|check date opening hours|check date seasonal|lastcheck|last check|last checked|' +
    'last inspection|last inspected|inspection date|date inspected|date checked|survey date time|date of survey|' +
    'letzte kontrolle|letzte prufung|kontrolliert am|pruefdatum|prufdatum|date de controle|derniere visite|' +
    'dernier controle|data controllo|ultimo controllo|data verifica|data sopralluogo|fecha de revision|' +
    'ultima revision|fecha inspeccion|laatste controle|senast kontrollerad',
  updated:
    'timestamp|updated|last edited date|last edit date|last edited|last update|last updated|updated at|update date|' +
    'date updated|modified|date modified|last modified|modified date|edit date|editdate|datenstand|' +
    'letzte anderung|geandert am|aktualisiert|aktualisiert am|date maj|date mise a jour|mise a jour|maj|' +
    'derniere mise a jour|data aggiornamento|ultimo aggiornamento|aggiornato al|aggiornato il|data agg|' +
    'fecha actualizacion|fecha de actualizacion|actualizado|ultima actualizacion|data actualitzacio|' +
    'data atualizacao|laatst gewijzigd|wijzigingsdatum|senast uppdaterad|sist oppdatert|sidst opdateret',
  since:
    'debut ind|debut indisponibilite|out of order since|broken since|closed since|ausser betrieb seit|gesperrt seit|' +
    'defekt seit|hors service depuis|fuori servizio dal|chiusa dal|fuera de servicio desde',
  until:
    'fin ind|fin indisponibilite|out of order until|closed until|ausser betrieb bis|gesperrt bis|hors service jusqu au|' +
    'fuori servizio fino al|chiusa fino al|fuera de servicio hasta|reopening|reopening date',
  bottle:
    'bottle|bottle filler|bottle filling|bottle filling station|flaschenfullung|flaschenfuller|flaschenfuellung|' +
    'remplissage bouteille|riempimento bottiglie|llenado botellas|bottle refill|refill',
  dog:
    'dog|dog bowl|dogs|dog fountain|pet friendly|pet|pets|hund|hunde|hundetranke|hundetrinkstelle|chien|chiens|' +
    'cane|cani|perro|perros|gos|gossos|hond|caes|animals|trankebecken',
  wheelchair:
    'wheelchair|wheelchair accessible|accessible|accessibility|ada|ada accessible|rollstuhl|rollstuhlgerecht|' +
    'barrierefrei|accessibilite|pmr|accessibile|accessibilita|accesible|accessibilitat|rolstoel|rullstol|korestol',
  season:
    'seasonal|season|saison|saisonal|saisonnier|stagionale|estacional|sazonal|seizoen|sasong|' +
    'period of operation|betriebszeit|operating season|in operation months',
  winter:
    'winter|ouv hiver|ouvert en hiver|winterbetrieb|year round|ganzjahrig|all year|toute l annee|invernale',
  hours:
    'opening hours|hours|offnungszeiten|oeffnungszeiten|horaires|horaire|orari|orario|horario|horari|openingstijden|' +
    'oppettider|apningstider',
  fee: 'fee|charge|gebuhr|payant|a pagamento|de pago|paytocollect wp|paytocollect|has tariff|cost',
  access: 'access|zugang|zuganglichkeit|acces|accesso|acceso',
  indoor: 'indoor|indoors|innen|interieur|al coperto|interior',
  covered: 'covered|uberdacht|couvert|coperto|cubierto|cobert',
  tested: 'gepruft|geprueft|tested|water tested|analyse|testato',
  amenities: 'amenities|features|ausstattung',
  approved: 'approved',
  verified: 'verified',
}

/** The meaning of a column for a fountain. */
export type Role = keyof typeof headings
export const roles = Object.keys(headings) as readonly Role[]

/** Headings of people and their accounts, of contact and of editing history: never read, whatever their values. */
const people =
  /\b(?:user|username|user name|userid|uid|author|autor|auteur|autore|editor|created by|creator|modified by|updated by|last edited by|added by|contributor|mapper|surveyor|surveyed by|enumerator|interviewer|respondent|contact|contact person|ansprechpartner|kontakt|person|first name|last name|vorname|nachname|firstname|lastname|email|e mail|mail|phone|telephone|telefon|tel|mobile|fax|changeset|artist name|artist|architect|submitted by|collected by|monitored by|reporter|owner|owner name|eigentumer|proprietaire|proprietario|committee|treasurer|chairperson)\b/u

const roleOf = new Map<string, Role>()
/** Within a role, the place in the dictionary: smaller is the more usual heading. */
export const preference = new Map<string, number>()
for (const role of roles)
  for (const [place, heading] of headings[role].split('|').entries()) {
    if (!roleOf.has(heading)) roleOf.set(heading, role)
    preference.set(heading, place)
  }

/** dBase, and so every shapefile, cuts headings at ten characters. */
const cut = new Map<string, string>()
for (const heading of roleOf.keys()) {
  const short = heading.replaceAll(' ', '_').slice(0, 10)
  if (heading.length > 10 && !roleOf.has(folded(short))) cut.set(folded(short), heading)
}

/** The meaning of a heading, or undefined when the dictionary does not know it. */
export function headingMeaning(heading: string): { readonly role: Role; readonly entry: string } | undefined {
  const plain = folded(heading.replaceAll(/([\p{Ll}\d])(?=\p{Lu}\p{Ll})/gu, '$1 '))
  for (const form of [
    plain,
    folded(heading),
    plain.replace(/^(?:tags|properties|fields|geo|attributes) /u, ''),
    // Tables of coded values have the code in one column and its words in another: `c_stato` and `d_stato`.
    plain.replace(/^(?:d|descr|descrizione|desc|txt) (?!l(?:at|on|ng)\b)(?=\p{L}{3})/u, ''),
  ]) {
    const entry = roleOf.has(form) ? form : heading.length <= 11 ? cut.get(form) : undefined
    const role = entry === undefined ? undefined : roleOf.get(entry)
    if (entry !== undefined && role !== undefined) return { role, entry }
  }
  return undefined
}

/** Whether a heading is about a person, an account or an address. */
export function isPersonal(heading: string): boolean {
  return people.test(folded(heading.replaceAll(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')))
}
