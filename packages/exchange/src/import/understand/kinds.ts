import { seasonInTag } from '@openfountain/core/internal'
import { amenityOf, normaliseAmenity, vocabulary } from '@openfountain/core/vocabulary'
import type { LeftOutReason, OtherPurpose } from '../reasons.ts'
import { folded } from '@openfountain/core/letters'
import { yesOrNo } from './values.ts'
import { limits } from '@openfountain/core/rules'

interface KindMeaning {
  /** Amenities in the vocabulary's keys. */
  readonly amenities: readonly string[]
  /** Why this is not a drinking fountain; absent when it may be one. */
  readonly leftOut?: LeftOutReason
}

const forOtherPurpose = (purpose: OtherPurpose): LeftOutReason => ({ code: 'OTHER_PURPOSE', purpose })

const notDrinkable =
  /\b(?:nicht trinkbar|kein trinkwasser|non potabil\w*|no potab\w*|non potable|nao potavel|not (?:for )?drink\w*|undrinkable|geen drinkwater|ej dricks\w*)\b/u
const forDrinking =
  /trinkhydrant|trinkwasser|trinkbrunnen|drinking (?:fountain|water)|eau potable|acqua potabile|agua potable|aigua potable|drinkwater|dricksvatten|drikkevann|drikkevand/u

/** Words for other purposes, unless a word for drinking is there: a Trinkhydrant is not a fire hydrant. The first match counts. */
const ofPurpose = {
  mist: /\bmist\b|\bmisting|spruhnebel|nebeldusche|nebelstele|brumisateur|nebulizz|nebuliz|nevel/u,
  'hand-washing': /hand ?wash|waschbecken|\bsinks?\b|lavabo|lave main|lavamani|lavamanos|handwas/u,
  decoration:
    /zierbrunnen|\bdecorativ|ornamental|ornementale?|schmuckbrunnen|bodenfontane|springbrunnen|jet d eau|fontana monumentale|fontana ornamentale|fuente ornamental|font ornamental|siervijver|sierfontein|splash|wasserwand|wasserfall|water feature|monument fountain/u,
  play: /sommerspritzer|wasserspiel|spielbrunnen|spielplatzpumpe|spray ?(?:park|ground)|splash pad|paddling|planschbecken|jeux d eau|\bschiff\b|wading pool/u,
  'fire-brigade': /hydrant|loschwasser|loschbrunnen|fire pond|bouche d incendie|idrante/u,
  laundry: /lavoir|lavatoio|lavadero|safareig|waschbrunnen|wash house/u,
  animals: /watering place|viehtranke|abreuvoir|abbeveratoio|abrevadero|abeurador/u,
  hygiene: /\b(?:dusche|shower|douche|doccia|ducha|dutxa|toilet|toilette|wc)\b/u,
  'open-water':
    /reflecting pool|\bpond\b|\bteich\b|\bbassin\b|unprotected|surface water|\bstream\b|\bcreek\b/u,
} as const satisfies Readonly<Record<OtherPurpose, RegExp>>

const ofAmenity: Readonly<Record<string, RegExp>> = {
  'dog-bowl':
    /hundetrink|dog (?:fountain|bowl|drinking)|fontaine (?:a|pour) chiens?|fuente (?:para|de) perros|trank[e]?n?\b|trankebecken|pet friendly/u,
  'bottle-filler': /bottle|flaschen|remplissage|borraccia|botell|ampoll|refill|fles/u,
  sparkling: /petillant|sparkling|gasata|frizzante|con gas|gazeuse|sprudel/u,
  chilled:
    /(?<!\b(?:nicht|non|not|no|un) ?)\b(?:gekuhlt|chilled|refrigere|rafraichi|refrigerat[ao]|refrigerad[ao])/u,
  filtered: /(?<!\b(?:nicht|non|not|no|un) ?)\b(?:gefiltert|filtered|filtree?|filtrat[ao]|filtrad[ao])/u,
  wallace: /wallace/u,
  'hand-pump':
    /hand ?pump|schwengelpumpe|handpumpe|pompe a main|pompa a mano|bomba manual|manual pump|\bafridev\b|india mark/u,
  well: /borehole|\bwell\b|\bpuits\b|\bpozzo\b|\bpozo\b|\bpou\b|ziehbrunnen|grundwasserbrunnen|\bforage\b|\bbrond\b/u,
  spring:
    /\bspring\b|\bquelle\b|\bquellwasser\b|\bsorgente\b|\bmanantial\b|\bdeu\b|source naturelle|protected spring|\bkalla\b/u,
  tap: /\btap\b|water tap|\bzapf|wasserhahn|standpipe|robinet|rubinetto|grifo|aixeta|\bkran\b|tapstand/u,
  bubbler: /bubbler|drinking fountain|fontanella|trinkbrunnen|fontaine a boire|fuente de beber/u,
  fountain: /auslaufbrunnen|nasone|laufbrunnen|running fountain/u,
  seasonal: /\bmobil|\btemporar|saisonal|seasonal|sommer/u,
}

const known = new Map<string, KindMeaning>()

/** The meaning of a municipal phrase such as "Trinkhydrant mit Tränke"; without amenities when none is recognised. */
export function kindMeaning(text: string): KindMeaning {
  const plain = folded(text.slice(0, 200))
  const before = known.get(plain)
  if (before !== undefined) return before
  const amenities = Object.keys(ofAmenity).filter((amenity) => ofAmenity[amenity]?.test(plain))
  const meaning = { amenities, leftOut: purposeIn(plain) }
  if (known.size > 10_000) known.clear()
  known.set(plain, meaning)
  return meaning
}

function purposeIn(plain: string): LeftOutReason | undefined {
  if (notDrinkable.test(plain)) return { code: 'NOT_DRINKABLE' }
  if (forDrinking.test(plain)) return undefined
  const purposes = Object.keys(ofPurpose) as OtherPurpose[]
  const purpose = purposes.find((each) => ofPurpose[each].test(plain))
  return purpose && forOtherPurpose(purpose)
}

/** OpenStreetMap's tags that the vocabulary gives to an amenity, as `key=value`. */
const amenityOfTag = new Map<string, string>()
for (const [key, amenity] of Object.entries(vocabulary)) {
  for (const [tag, value] of Object.entries(amenity.osm)) {
    if (!amenityOfTag.has(`${tag}=${value}`)) amenityOfTag.set(`${tag}=${value}`, key)
  }
}
// For mappers it means only that the water may be drunk.
amenityOfTag.delete('fountain=drinking')
/** Tags that mean the same as the vocabulary's, by the wiki's pages of the keys. */
const further: Readonly<Record<string, string>> = {
  'bottle=designated': 'bottle-filler',
  'fountain=bottle_refill': 'bottle-filler',
  'dog=designated': 'dog-bowl',
  'wheelchair=designated': 'wheelchair',
  'seasonal=summer': 'seasonal',
  'seasonal=spring;summer;autumn': 'seasonal',
  'natural=protected_spring': 'spring',
  'man_made=protected_spring': 'spring',
  'man_made=borehole': 'well',
  'man_made=protected_well': 'well',
  'man_made=handpump': 'hand-pump',
  'man_made=drinking_fountain': 'bubbler',
  'pump=hand_pump': 'hand-pump',
  'drinking_water:refill=yes': 'bottle-filler',
  'water=sparkling': 'sparkling',
  'fountain=nasone': 'fountain',
}
for (const [tag, key] of Object.entries(further)) amenityOfTag.set(tag, key)

/** Kinds of the tag `fountain` that make an `amenity=fountain` one for drinking. */
const drinkingFountains = new Set<unknown>(
  'bubbler drinking bottle_refill nasone roman_wolf wallace trough'.split(' '),
)

export function tagMeaning(tags: Readonly<Record<string, unknown>>): KindMeaning {
  const amenities = new Set<string>()
  for (const [tag, value] of Object.entries(tags)) {
    if (typeof value !== 'string') continue
    const amenity = amenityOfTag.get(`${tag}=${value}`)
    if (amenity !== undefined) amenities.add(amenity)
  }
  const { fountain, seasonal } = tags
  if (typeof seasonal === 'string' && seasonInTag(seasonal) !== undefined) amenities.add('seasonal')
  if (typeof fountain === 'string') {
    const key = normaliseAmenity(fountain)
    if (amenityOf(key) !== undefined) amenities.add(key)
  }
  return { amenities: [...amenities], leftOut: notForDrinking(tags) }
}

/** Whether fields are OpenStreetMap's: an `amenity` or another key with a value that only OSM has. */
export function areOsmTags(fields: Readonly<Record<string, unknown>>): boolean {
  const { amenity, man_made: made } = fields
  return (
    osmAmenities.has(amenity) || made === 'water_tap' || made === 'water_well' || fields['@id'] !== undefined
  )
}

const osmAmenities = new Set<unknown>(['drinking_water', 'fountain', 'water_point', 'watering_place'])
const osmWorks = new Set<unknown>(['water_tap', 'water_well', 'drinking_fountain'])

/** Prefixes of keys for objects out of use, and for removed or planned ones. */
const prefixes = {
  disused: ['disused'],
  abandoned: ['abandoned'],
  gone: 'removed|demolished|razed|destroyed|dismantled|was|historic|planned|proposed|construction'.split('|'),
} as const

/** Whether a tag with a prefix is about the fountain, so that the fountain is out of use. */
const isFountainTag = (key: string, value: unknown): boolean =>
  (key === 'amenity' && osmAmenities.has(value)) ||
  (key === 'man_made' && osmWorks.has(value)) ||
  (key === 'drinking_water' && value === 'yes')

/** The lifecycle stage of a fountain that is out of use or removed by its tags, with the deciding tag. */
export function lifecycleOf(
  tags: Readonly<Record<string, unknown>>,
): { readonly stage: keyof typeof prefixes; readonly tag: string } | undefined {
  for (const stage of ['disused', 'abandoned'] as const)
    if (yesOrNo(tags[stage]) === true) return { stage, tag: `${stage}=yes` }
  for (const stage of ['gone', 'abandoned', 'disused'] as const)
    for (const prefix of prefixes[stage])
      for (const key of ['amenity', 'man_made', 'drinking_water']) {
        const value = tags[`${prefix}:${key}`]
        if (!isFountainTag(key, value)) continue
        // A removed or planned fountain may be at the place of another one.
        if (stage !== 'gone' || !isFountainTag(key, tags[key]))
          return { stage, tag: `${prefix}:${key}=${String(value)}` }
      }
  return undefined
}

function notForDrinking(tags: Readonly<Record<string, unknown>>): LeftOutReason | undefined {
  const { amenity, access } = tags
  for (const key of ['drinking_water', 'drinking_water:legal'])
    if (tags[key] === 'no') return { code: 'NOT_DRINKABLE', tag: `${key}=no` }
  if (access === 'no') return { code: 'NOT_PUBLIC', tag: 'access=no' }
  if (amenity === 'watering_place') return forOtherPurpose('animals')
  if (amenity === 'fountain' && !isForDrinking(tags))
    return { code: 'OTHER_PURPOSE', purpose: 'decoration', tag: 'amenity=fountain' }
  if (tags['fountain'] === 'decorative' || tags['fountain'] === 'splash_pad')
    return forOtherPurpose('decoration')
  return tags['natural'] === 'water' && amenity === undefined ? forOtherPurpose('open-water') : undefined
}

const isForDrinking = (tags: Readonly<Record<string, unknown>>): boolean =>
  tags['drinking_water'] === 'yes' ||
  tags['drinking_water:legal'] === 'yes' ||
  drinkingFountains.has(tags['fountain'])

/**
 * Tags of an object that are not stored. Metadata of the file about the object is no tag; contact addresses and
 * mappers' notes may be personal, and do not describe the fountain; the first author and program are its history.
 */
const notKept: readonly RegExp[] = [
  /^@|^(?:type|id|lat|lon|latitude|longitude|geometry|osm_type|osm_id|timestamp|version|changeset|user|uid|visible)$/u,
  /^(?:contact|phone|mobile|fax|email)(?::|$)/iu,
  /^(?:note|fixme|todo|comment|attention|created_by|odbl|import_uuid|source:pkey)(?::|$)/iu,
]

const ofPerson = /^(?:operator|owner)(?::|$)/u
const privateTypes: ReadonlySet<unknown> = new Set(['private', 'individual'])

/** The tags of an object of OpenStreetMap, unchanged, by their keys; empty where none is stored. */
export function keptTags(fields: Readonly<Record<string, unknown>>): { tags?: Record<string, string> } {
  const isPersons = privateTypes.has(fields['operator:type']) || privateTypes.has(fields['ownership'])
  const kept: [string, string][] = []
  for (const [key, value] of Object.entries(fields)) {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    if (typeof text !== 'string' || !isTag(key) || !isTag(text)) continue
    if (notKept.some((pattern) => pattern.test(key)) || (isPersons && ofPerson.test(key))) continue
    kept.push([key, text])
  }
  return kept.length === 0 ? {} : { tags: Object.fromEntries(kept.slice(0, limits.tags)) }
}

const isTag = (text: string): boolean => text !== '' && text.length <= limits.tag && text.isWellFormed()
