import type { OptionalValues } from '@openfountain/core/fields'
import {
  daysOf,
  fieldsInTags,
  isKindAlone,
  type ListedDays,
  seasonInTag,
  seasonPattern,
  type SourceState,
} from '@openfountain/core/internal'
import { limits } from '@openfountain/core/rules'
import { normaliseAmenity } from '@openfountain/core/vocabulary'
import type { Cells, Columns, Role, MapFile } from './columns.ts'
import { dayIn, type DayOrder, ordinaryCase, plainText, shortened, yesOrNo } from './values.ts'
import type { Position } from '../read/geometry.ts'
import { kindMeaning, lifecycleOf, tagMeaning, keptTags } from './kinds.ts'
import { isRecord } from '../read/nested-fields.ts'
import { folded } from '@openfountain/core/letters'

export interface ReadWaypoint extends Readonly<OptionalValues>, ListedDays {
  /** Empty when the source has none. */
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly amenities: string[]
  readonly approved?: boolean
  readonly verified?: boolean
  /** Why it gives no water, as the source says. */
  readonly state?: SourceState
  /** The tags of the object at OpenStreetMap that it is. */
  readonly tags?: Readonly<Record<string, string>>
}

interface ReadingTerms extends Pick<Columns, 'osm' | 'dayOrder'> {
  readonly map: MapFile
  /** The region of fountains that have none. */
  readonly place: string | undefined
}

export class WaypointReading {
  readonly #given: ReadingTerms

  constructor(given: ReadingTerms) {
    this.#given = given
  }

  read(cells: Cells, [longitude, latitude]: Position): ReadWaypoint {
    const given = cells.text('name') ?? ''
    const name = isKindAlone(given) ? '' : given
    // A name that is no more than a kind says the kind.
    const kinds = [...(this.#given.osm ? [] : cells.all('kind')), ...(name === given ? [] : [given])]
    const amenities = this.#amenities(cells, kinds)
    const street = this.#street(cells)
    const district = cells.text('district')
    const region = cells.text('region') ?? district ?? this.#given.place
    const says = this.#stateIn(cells)
    const { state } = says
    // Only tags have values in the form of the fields for certain.
    const days = daysIn(cells, state, this.#given.dayOrder)
    const drinkable = this.#given.osm ? undefined : drinkableIn(cells)
    const access = accessIn(cells)
    const tagged = {
      ...(this.#given.osm
        ? fieldsInTags((key) => plainText(cells.fields[key]))
        : {
            ...this.#seasonIn(cells, days, state),
            ...hoursIn(cells),
            ...(drinkable !== undefined && { drinkable }),
          }),
      ...(access !== undefined && { access }),
    }
    const description = this.#description(cells, tagged, says, name === '' ? street : undefined)
    const image = imageOf(cells.all('image'))
    const maintainer = this.#maintainer(cells)
    return {
      name: shortened(name.replaceAll('\n', ' '), limits.waypointName),
      latitude: rounded(latitude),
      longitude: rounded(longitude),
      amenities,
      ...(description === undefined ? {} : { description }),
      ...(image === undefined ? {} : { image }),
      ...(maintainer === undefined ? {} : { maintainer: shortened(maintainer, limits.maintainer) }),
      ...(region === undefined ? {} : { region: shortened(ordinaryCase(region), limits.region) }),
      ...tagged,
      ...(state === undefined ? {} : { state }),
      ...days,
      ...(this.#given.osm && keptTags(cells.fields)),
    }
  }

  #stateIn(cells: Cells): Says {
    const values = cells.all('status')
    const status = values.find((value) => conditionOf(value) === 'broken')
    const reason = cells.text('statusReason')
    if (status !== undefined) {
      const said = yesOrNo(status) === undefined ? plainText(status) : undefined
      const words = [said, reason].filter(Boolean).join(': ') || undefined
      return { state: sourceStateOf(status, reason), words }
    }
    const isOut = this.#given.osm
      ? lifecycleOf(cells.fields) !== undefined
      : yesOrNo(cells.first('outOfOrder')) === true
    if (isOut) return { state: 'broken', words: reason }
    // If a column says that it works, another column's statement about the winter does not apply now.
    if (values.some((value) => conditionOf(value) === 'works')) return {}
    if (reason !== undefined && isClosedForSeason(reason)) return { state: 'off', words: reason }
    const own = cells.text('description')
    return own !== undefined && isClosedForSeason(own) ? { state: 'off' } : {}
  }

  /** The season where columns name its first and its last month, or the days between which it is closed for the winter. */
  #seasonIn(cells: Cells, { since, until }: ListedDays, state: SourceState | undefined): OptionalValues {
    const text = cells.text('season') ?? this.#seasonalStatus(cells) ?? ''
    const months = monthsIn(text) ?? monthsBeside(cells.text('dry'))
    const isWinter = state === 'off' && since !== undefined && until !== undefined
    const season = months ?? (isWinter ? seasonBeside(since, until) : undefined)
    return season === undefined ? {} : { season }
  }

  #amenities(cells: Cells, kinds: readonly string[]): string[] {
    const { fields } = cells
    const found = new Set(this.#given.osm ? tagMeaning(fields).amenities : [])
    for (const kind of kinds) for (const amenity of kindMeaning(kind).amenities) found.add(amenity)
    if (!this.#given.osm) {
      for (const [role, amenity] of simpleRoles) if (yesOrNo(cells.first(role)) === true) found.add(amenity)
      for (const water of cells.all('water'))
        for (const amenity of kindMeaning(water).amenities) if (ofWater.has(amenity)) found.add(amenity)
      if (cells.all('wheelchair').some((text) => forWheelchairs.test(folded(text)))) found.add('wheelchair')
      const fee = yesOrNo(cells.first('fee'))
      if (fee !== undefined) found.add(fee ? 'fee' : 'free')
      const part = seasonOf(cells.first('season') ?? this.#seasonalStatus(cells))
      if (part !== undefined) found.add(part)
      if (monthsBeside(cells.text('dry')) !== undefined) found.add('seasonal')
      const winter = yesOrNo(cells.first('winter'))
      if (winter !== undefined) found.add(winter ? 'all-year' : 'seasonal')
      for (const entry of listOf(cells.first('amenities'))) found.add(normaliseAmenity(entry))
    }
    for (const [column, words] of Object.entries(this.#given.map.amenities ?? {})) {
      for (const amenity of words[String(fields[column] ?? '').trim()] ?? []) found.add(amenity)
    }
    return [...found].slice(0, limits.amenities)
  }

  /** The address of a fountain without a name, then the source's own words about it, about problems and opening times. */
  #description(
    cells: Cells,
    tagged: OptionalValues,
    { words }: Says,
    address: string | undefined,
  ): string | undefined {
    // A text in a field is not repeated.
    const isTagged = (value = '') => Object.values(tagged).includes(value)
    const season = cells.text('season') ?? this.#seasonalStatus(cells)
    const isPart = season !== undefined && yesOrNo(season) === undefined && seasonOf(season) === 'seasonal'
    const hours = cells.text('hours')
    const lines = [
      address,
      cells.text('description'),
      words === undefined ? undefined : ordinaryCase(words.replaceAll('_', ' ')),
      isPart && !isTagged(seasonInTag(season)) && !isTagged(monthsIn(season))
        ? season.replaceAll('_', ' ')
        : undefined,
      isAlways(hours) || isTagged(hours) ? undefined : hours,
    ].filter((line) => line !== undefined)
    return lines.length === 0 ? undefined : shortened(lines.join('\n'), limits.description)
  }

  /** Words about the season in a column about the state, such as "spring to fall" under IN_OPERATION. */
  #seasonalStatus(cells: Cells): string | undefined {
    return cells.all('status').find((value) => yesOrNo(value) === undefined && seasonOf(value) !== undefined)
  }

  #maintainer(cells: Cells): string | undefined {
    const type = cells.fields['operator:type']
    const name = type === 'private' || type === 'individual' ? undefined : cells.text('maintainer')
    return name?.includes(' ') === true ? ordinaryCase(name) : name
  }

  #street(cells: Cells): string | undefined {
    const street = cells.text('street')
    const number = cells.text('houseNumber')
    if (street === undefined) return undefined
    return ordinaryCase(number === undefined ? street : `${street} ${number}`).replaceAll('\n', ', ')
  }
}

interface Says {
  readonly state?: SourceState | undefined
  /** In the source's own words, where they are not in the description anyway. */
  readonly words?: string | undefined
}

function daysIn(cells: Cells, state: SourceState | undefined, order: DayOrder | undefined): ListedDays {
  const day = (role: Role) => dayIn(cells.all(role), order)
  return daysOf({
    checked: day('checked'),
    updated: day('updated'),
    ...(state !== undefined && { since: day('since'), until: day('until') }),
  })
}

const simpleRoles: readonly (readonly [Role, string])[] = [
  ['bottle', 'bottle-filler'],
  ['dog', 'dog-bowl'],
  ['wheelchair', 'wheelchair'],
  ['indoor', 'indoor'],
  ['covered', 'covered'],
  ['tested', 'tested'],
]

/** Amenities that a type of water can be. */
const ofWater = new Set(['sparkling', 'chilled', 'filtered'])

/** Words of a column about wheelchairs that mean yes; a height in centimetres does not. */
const forWheelchairs =
  /^(?:(?:voll )?(?:rollstuhlgerecht|barrierefrei|unterfahrbar)|(?:wheelchair )?accessible(?: pmr)?|accessibile|accesible|full access)$/u

/** The first value that is a web address, or a file of Wikimedia Commons, as a web address. */
function imageOf(values: readonly string[]): string | undefined {
  const commons = 'https://commons.wikimedia.org/wiki/Special:FilePath/'
  for (const value of values) {
    const file = /^File:(.+)$/iu.exec(value)?.[1]
    const text = file === undefined ? value : commons + encodeURIComponent(file.replaceAll(' ', '_'))
    if (/^https?:\/\//iu.test(text) && !/[\s;]/u.test(text) && text.length <= limits.imageUrl) {
      const url = URL.parse(text)
      if (url !== null && url.hostname !== '' && url.username === '' && url.password === '') return text
    }
  }
  return undefined
}

function listOf(value: unknown): string[] {
  const parts: unknown[] = typeof value === 'string' ? value.split(/[;,|]/u) : []
  return (Array.isArray(value) ? value : parts).flatMap((part) => {
    const text = plainText(part)
    return text === undefined || text.length > limits.amenity || isRecord(part) ? [] : [text]
  })
}

/** Seven decimals are a centimetre; further ones come from rounding in map projections. */
const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

/** Whether a fountain is there and gives water, as its source says. */
type Condition = 'works' | 'broken' | 'gone' | 'unknown'

const gone =
  /no longer exist|abandon|demolish|dismantl|removed|planned|proposed|under construction|abgebaut|entfernt|stillgelegt|abgebrochen|geplant|im bau\b|supprime|demonte|deposee|desafecte|rimoss|smantellat|dismess|demolit|soppress|in progetto|da realizzare|in costruzione|retirad|eliminad|desmantelad|nedlagt|zlikwid|disused/u
/** Words for another kind or for out of use, checked before those for kinds. */
const not =
  /\b(?:not|non|no|nicht|niet|nao|inte|ikke|ej) (?:currently |in |en |im |em |i )?(?:functional|working|operational|available|service|use|active|betrieb|aktiv|funktion\w*|disponib\w*|fonctionn\w*|esercizio|funzion\w*|attiv[oaei]\b|servizio|erogant\w*|funcion\w*|operativ\w*|activ[oa]\b|servicio|gebruik|werk\w*|drift|bruk)/u
const broken =
  /out of (?:order|service|use)|broken|closed|turned off|shut off|switched off|winteri[sz]ed|inactive|inoperable|unavailable|needs? mainten|needs? repair|in need of repair|defekt|defect|aus(?:ser|er) (?:betrieb|funktion)|kaputt|gesperrt|abgestellt|abgeschaltet|abgesperrt|geschlossen|hors (?:service|d usage|d eau)|en panne|a reparer|en travaux|en maintenance|sans eau|ferme|indisponible|inaccessible|fuori (?:servizio|esercizio|uso)|guast|chius|disattivat|inattiv|sospes|in manutenzione|senz acqua|fuera de servicio|averiad|cerrad|sin agua|clausurad|fora de serve|tancad|avariad|sem agua|fechad|buiten (?:gebruik|werking)|gesloten|geen water|ur funktion|avstangd|ude af drift|ute av drift|lukket|stengt|nieczynn|no water|kein wasser|winter(?:pause|ruhe|abschaltung|betrieb eingestellt|schliessung)|hivernage/u
const works =
  /^(?:functional|operational|working|ok|good|in betrieb|aktiv|active|en service|en fonctionnement|fonctionne|disponible|in servizio|in esercizio|in funzione|funzionante|erogante|aperta|en servicio|operativ[oa]|funciona|activ[oa]|attiv[oa]|in gebruik|in werking|i drift|in operation|in service|open|offen|ouvert|aperto|abierto|obert|aberto|available|czynn)(?:\b|e\b|s\b)/u

const known = new Map<unknown, Condition>()

/** The condition by a value under a heading of the state. A plain yes means that it works, a plain no the contrary. */
export function conditionOf(value: unknown): Condition {
  const condition = known.get(value) ?? decided(value)
  if (known.size > 10_000) known.clear()
  known.set(value, condition)
  return condition
}

function decided(value: unknown): Condition {
  const isWorking = yesOrNo(value)
  if (isWorking !== undefined) return isWorking ? 'works' : 'broken'
  if (typeof value !== 'string') return 'unknown'
  const plain = folded(value.slice(0, 200))
  if (gone.test(plain) && !/\bor not (?:functional|working)/u.test(plain)) return 'gone'
  if (not.test(plain) || broken.test(plain)) return 'broken'
  return works.test(plain) ? 'works' : 'unknown'
}

const partlyWorking = /\b(?:partially|partly) (?:functional|working|operational)|teilweise in betrieb/u
const seasonal =
  /winter|vinter|hiver|invern|invier|zimow|season|saison|sasong|seizoen|stagion|estacion|temporada|\bfrost|\bgelo?\b/u

/**
 * Why a fountain that is there gives no water, by values under headings of the state: out of order, or closed for the season
 * when status or reason say so. Undefined when it gives water, in part too, or nothing is known.
 */
export function sourceStateOf(status: unknown, reason?: string): SourceState | undefined {
  if (conditionOf(status) !== 'broken') return undefined
  const words = folded(`${typeof status === 'string' ? status : ''} ${reason ?? ''}`.slice(0, 400))
  if (partlyWorking.test(words)) return undefined
  return seasonal.test(words) ? 'off' : 'broken'
}

const closedForSeason =
  /fermeture (?:hivernale|saisonniere)|fermee? (?:pour l|pendant l|en|l) ?hiver|closed (?:for|during|in) (?:the )?(?:winter|season)|winter closure|winter ?(?:pause|ruhe|abschaltung|schliessung)|im winter (?:abgestellt|abgeschaltet|ausser betrieb|geschlossen)|chius[oa] (?:per l|in|d|durante l) ?(?:inverno|invernale)|chiusura invernale|cerrad[oa] (?:por|en|durante el) invierno|cierre invernal|tancad[oa] a l hivern|encerrad[oa] no inverno|gesloten in de winter|wintersluiting|vinterstang/u

/** Whether a text in the source's own words says that it is closed for the season. */
export const isClosedForSeason = (text: string): boolean => closedForSeason.test(folded(text.slice(0, 2000)))

const allYear =
  /year round|all year|ganzjahrig|toute l annee|tutto l anno|todo el ano|tot l any|ano todo|hele jaar|aret runt|hele aret/u
const partly = /spring|summer|sommer|\bete\b|estate|verano|estiu|verao|zomer|season|saison|stagion|estacion/u

/** Whether a text without numbers names two months or more. */
const hasMonths = (plain: string): boolean =>
  !/\d/u.test(plain) && plain.split(' ').filter((word) => months.has(word)).length > 1

/** Whether a text about the season means all year or a part of it. */
function seasonOf(value: unknown): 'all-year' | 'seasonal' | undefined {
  if (typeof value !== 'string') return value === true ? 'seasonal' : undefined
  const plain = folded(value.slice(0, 200))
  if (allYear.test(plain)) return 'all-year'
  if (partly.test(plain) || hasMonths(plain) || monthsIn(value) !== undefined) return 'seasonal'
  return yesOrNo(value) === true ? 'seasonal' : undefined
}

/** The months by their names and abbreviations in the languages of the headings, folded. */
const months = new Map(
  (
    'jan january januar janner janvier janv gen gennaio ene enero gener janeiro januari|' +
    'feb february februar feber fevrier fevr fev febbraio febrero febrer fevereiro februari|' +
    'mar march marz maerz mars marzo marc marco maart mrt|apr april avril avr aprile abr abril|' +
    'may mai mag maggio mayo maig maio mei maj|jun june juni juin giu giugno junio juny junho|' +
    'jul july juli juillet juil lug luglio julio juliol julho|' +
    'aug august aout ago agosto agost augustus augusti|' +
    'sep sept september septembre set settembre septiembre setiembre setembre setembro|' +
    'oct october okt oktober octobre ott ottobre octubre out outubro|' +
    'nov november novembre noviembre novembro|' +
    'dec december dez dezember decembre dic dicembre diciembre des desembre dezembro'
  )
    .split('|')
    .flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
)

/** A month, perhaps with a day before or after it. */
const monthly = String.raw`(?:(\d{1,2})(?:er|st|nd|rd|th)? (?:de )?)?(\p{L}{3,10})(?: (\d{1,2})(?:st|nd|rd|th)?)?`
const toMonth = new RegExp(
  String.raw`^(?:from |von |vom |ab |du |de |da |dal |dall |del |d |van |fra )?(?:the )?${monthly} ` +
    String.raw`(?:to |until |through |thru |till |bis |bis zum |au |a |al |all |hasta |hasta el |ate |tot |t m |til )?` +
    String.raw`(?:the |la |el |fin |fine |ende |end )?${monthly}$`,
  'u',
)
/** Days as `1.4.–31.10.`, in which the dots tell that the day is first. */
const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s*(?:-|–|bis)\s*(\d{1,2})\.\s?(\d{1,2})\.$/u

/**
 * The season of a text from a month or a day to another, `MM-DD/MM-DD`: "May-October", "April bis Oktober", "d'avril à
 * octobre", "1. Mai bis 15. Oktober". Undefined for any other text.
 */
export function monthsIn(text: string): string | undefined {
  const days = dotted.exec(text.trim())
  if (days !== null) return seasonOfDays([days[2], days[1]], [days[4], days[3]])
  const found = toMonth.exec(folded(text.slice(0, 60)))
  if (found === null) return undefined
  const [, before, from = '', after, beforeEnd, to = '', afterEnd] = found
  const [first, last] = [months.get(from), months.get(to)]
  const ends = before ?? after
  const isWhole = ends === undefined && beforeEnd === undefined && afterEnd === undefined
  if (first === undefined || last === undefined || (isWhole && first === last)) return undefined
  return seasonOfDays([first, ends ?? 1], [last, beforeEnd ?? afterEnd])
}

type MonthDay = readonly [month: string | number | undefined, day: string | number | undefined]

/** A season by its first and its last day; without a day it is the last of the month. */
function seasonOfDays(first: MonthDay, [lastMonth, lastDay]: MonthDay): string | undefined {
  // The days of a leap year.
  const end = lastDay ?? new Date(Date.UTC(2000, Number(lastMonth), 0)).getUTCDate()
  const season = [first, [lastMonth, end]]
    .map((date) => date.map((part) => String(part).padStart(2, '0')).join('-'))
    .join('/')
  return seasonPattern.test(season) ? season : undefined
}

/** The season beside months without water, "10, 11, 12", which follow one another. Undefined for any other text. */
export function monthsBeside(text = ''): string | undefined {
  const dry = new Set(
    /^(?:0?[1-9]|1[0-2])(?:[,; ]+(?:0?[1-9]|1[0-2]))*$/u.test(text) ? text.split(/[,; ]+/u).map(Number) : [],
  )
  const firsts = [...dry].filter((month) => !dry.has(((month + 10) % 12) + 1))
  if (firsts.length !== 1) return undefined
  const [first = 1] = firsts
  return seasonOfDays([((first + dry.size - 1) % 12) + 1, 1], [((first + 10) % 12) + 1, undefined])
}

/** The shortest and the longest closure that is one of a winter, in days. */
const winter = { shortest: 30, longest: 270 } as const
const dayMilliseconds = 86_400_000

/**
 * The season, `MM-DD/MM-DD`, of a fountain that is closed for a winter from one day to another. Undefined unless it is
 * a closure over the turn of a single year: it tells nothing about other winters.
 *
 * @example
 * seasonBeside('2024-09-20', '2025-05-04') // '05-05/09-19'
 */
export function seasonBeside(since: string, until: string): string | undefined {
  const [first, last] = [Date.parse(since), Date.parse(until)]
  const days = (last - first) / dayMilliseconds + 1
  const isOneWinter = Number(until.slice(0, 4)) === Number(since.slice(0, 4)) + 1
  if (!isOneWinter || !(days >= winter.shortest && days <= winter.longest)) return undefined
  const dateOf = (time: number): string => new Date(time).toISOString().slice(5, 10)
  const [opens, closes] = [dateOf(last + dayMilliseconds), dateOf(first - dayMilliseconds)]
  // Not in every year there is this day.
  return `${opens === '02-29' ? '03-01' : opens}/${closes === '02-29' ? '02-28' : closes}`
}

const always =
  /^(?:24 7|24 h|24 ?h 24|h ?24|24 (?:hours|stunden|heures|ore|horas)|(?:7j 7|7 7) 24h 24|24h 24 7j 7|rund um die uhr|round the clock|always(?: open)?|immer(?: geoffnet)?|durchgehend(?: geoffnet)?|toujours ouvert|sempre aperta?|siempre abierta?)$/u
const isAlways = (hours = ''): boolean => always.test(folded(hours.slice(0, 60)))

const week = '(?:Mo|Tu|We|Th|Fr|Sa|Su)'
const clock = String.raw`(?:[01]\d|2[0-4]):[0-5]\d`
/** Days of the week and times as `opening_hours` has them, and no more of it. */
const inForm = new RegExp(
  String.raw`^(?:(?:${week}(?:-${week})?(?:,\s?${week}(?:-${week})?)*\s)?${clock}-${clock}(?:,\s?${clock}-${clock})*(?:;\s*(?=\S)|$))+$`,
  'u',
)

/** The hours of a table, where they are in the form of OpenStreetMap or say that it never closes. */
function hoursIn(cells: Cells): OptionalValues {
  const hours = cells.text('hours')
  if (isAlways(hours)) return { openingHours: '24/7' }
  return hours !== undefined && inForm.test(hours) ? { openingHours: hours } : {}
}

const unsigned =
  /^(?:unsigned|unmarked|unlabel+ed|not (?:signed|marked|labelled)|no sign|nicht (?:gekennzeichnet|beschildert)|ohne (?:schild|hinweis|kennzeichnung)|non (?:signalee?|segnalat[ao])|sin senalizar)$/u
const drinking =
  /^(?:drinking water|drinkable|potable|trinkwasser|trinkbar|eau potable|acqua potabile|potabile|agua potable|aigua potable|agua potavel|potavel|drinkwater|dricksvatten|drikkevann|drikkevand)$/u

/** A table's statement about the water, in a column of its own or by a kind without drinking water; undefined when there is none. */
export function drinkableIn(cells: Cells): OptionalValues['drinkable'] | undefined {
  const value = cells.first('drinkable')
  const isDrinkable = yesOrNo(value)
  if (isDrinkable !== undefined) return isDrinkable ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : ''
  if ([text, ...cells.all('water'), ...cells.all('kind')].some(isNotForDrinking)) return 'no'
  const plain = folded(text.slice(0, 60))
  if (unsigned.test(plain)) return 'unsigned'
  if (drinking.test(plain)) return 'yes'
  return yesOrNo(cells.first('signed')) === false ? 'unsigned' : undefined
}

const ofAccess: readonly (readonly [OptionalValues['access'] & string, RegExp])[] = [
  ['customers', /\b(?:customers?|patrons?|kund(?:en|schaft)|gaste|clients?|clienti|clientes)\b/u],
  [
    'private',
    /\b(?:private?|privat(?:e|er|es|grund|brunnen)?|prive|privee|privat[ao]|privad[ao]|residents?|anwohner|permit)\b/u,
  ],
  [
    'yes',
    /\b(?:yes|public|permissive|designated|offentlich\w*|frei|publi(?:c|que|co|ca|que)|pubblic[oa]|libre|libero)\b/u,
  ],
]

/** A table's statement about who may use it, in a column of its own, or by a kind such as "privater Brunnen"; undefined when there is none. */
function accessIn(cells: Cells): OptionalValues['access'] | undefined {
  const stated = folded(String(cells.first('access') ?? '').slice(0, 60))
  const found = ofAccess.find(([, words]) => words.test(stated))?.[0]
  if (found !== undefined || stated !== '') return found
  const isPrivate = cells.all('kind').some((kind) => isPrivateKind.test(folded(kind.slice(0, 200))))
  return isPrivate ? 'private' : undefined
}

const isPrivateKind = /\b(?:privater? |private |prive |fontaine privee|fontana privata|fuente privada)/u

const isNotForDrinking = (words: string): boolean => kindMeaning(words).leftOut?.code === 'NOT_DRINKABLE'
