import { RegistryError, token, type Registry, type Waypoint } from '@openfountain/core'
import type { ManyChanged, ManyInput } from '@openfountain/core/internal'
import { inert } from '../inert.ts'
import { usage } from '../failure.ts'
import { flag, numbered, text } from '../options.ts'
import { row, unlessDry } from '../row.ts'
import { databaseOption, reasonOption, regionsOption, writingOptions } from '../settings.ts'
import { factLines } from '../table.ts'
import { conditionsBut, whereOf, whereOption } from './export.ts'

const places = { id: { about: 'The fountain', ...numbered } }
const flagOptions = { ...writingOptions, off: flag('Takes it back') }
const removalOptions = { ...writingOptions, ...reasonOption }

/** The fate of a deleted waypoint; undefined for a live one. @throws RegistryError NOT_FOUND for an unknown id */
async function deletionOf(registry: Registry, id: number): Promise<{ mergedInto?: number } | undefined> {
  try {
    await registry.waypoints.get(id)
    return undefined
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'NOT_FOUND') throw error
    const { mergedInto } = error.details
    return typeof mergedInto === 'number' ? { mergedInto } : {}
  }
}

async function described(registry: Registry, id: number) {
  const waypoint = await registry.waypoints.getEvenDeleted(id)
  const deletion = await deletionOf(registry, id)
  const [place, sources, reviews, status, { total: entries }] = await Promise.all([
    registry.waypoints.place(id),
    registry.waypoints.sources(id),
    registry.reviews.list({ bubblerId: id }),
    deletion === undefined ? registry.observations.status(id) : undefined,
    registry.changes.list({ bubblerId: id, limit: 1 }),
  ])
  return {
    waypoint,
    ...(deletion !== undefined && { isDeleted: true, ...deletion }),
    place,
    status,
    sources,
    reviews,
    entries,
  }
}

type Described = Awaited<ReturnType<typeof described>>

const valueText = (value: unknown): string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : Array.isArray(value)
      ? value.join(', ')
      : JSON.stringify(value)

function factsOf({ waypoint, isDeleted, mergedInto, place, status, sources, reviews, entries }: Described) {
  const standing = mergedInto === undefined ? 'deleted' : `merged into ${mergedInto}`
  return [
    ...Object.entries(waypoint).map(([field, value]) => [field, valueText(value)] as const),
    ['standing', isDeleted === true ? standing : undefined] as const,
    ['place', place && [place.name, place.subdivision, place.country].filter(Boolean).join(', ')] as const,
    ['status', status?.state] as const,
    ...sources.map(({ name, license, ref, missingSince }) => {
      const [reference, missing] = [ref ?? '–', missingSince === undefined ? '' : ', no longer listed']
      return ['source', `${name} (${license}), ${reference}${missing}`] as const
    }),
    ...reviews.map(
      ({ id, userId, rating, comment }) =>
        [
          'review',
          `${id}: ${rating} of 5 by ${userId}${comment === undefined ? '' : `: ${comment}`}`,
        ] as const,
    ),
    ['entries', entries] as const,
  ]
}

const flagging = (name: 'approved' | 'verified') => ({
  call: (registry: Registry, { id, off }: { readonly id: number; readonly off: boolean }) =>
    registry.waypoints.update(id, { [name]: !off }, token()),
  json: (waypoint: Waypoint) => ({ waypoint }),
  text: (waypoint: Waypoint, { off }: { readonly off: boolean }) =>
    `Fountain ${waypoint.id} ${off ? 'is not' : 'is'} ${name}: ${inert(waypoint.name)}`,
})

type Where = ManyInput['where']
type Set = NonNullable<ManyInput['set']>

const words = (given: string): string[] => given.split(',').map((word) => word.trim())
function yesOrNo(given: string): boolean {
  if (given !== 'true' && given !== 'false') throw usage(`${JSON.stringify(given)} must be true or false`)
  return given === 'true'
}
const orNothing = (given: string): string | null => (given === '' ? null : given)

/** The fields that many fountains get, and how their texts are read. */
const settable: {
  readonly [Name in Exclude<keyof Set, 'addAmenities' | 'removeAmenities'>]-?: (given: string) => unknown
} = {
  season: orNothing,
  maintainer: orNothing,
  access: orNothing,
  drinkable: orNothing,
  approved: yesOrNo,
  verified: yesOrNo,
  amenities: (given) => (given === '' ? null : words(given)),
}

const manyOptions = {
  ...whereOption,
  reason: text('TEXT', 'Why; it is public'),
  'dry-run': flag('Reports which would change, and writes nothing'),
}

function manyText({ act, changed, matched = 0, dryRun }: ManyChanged & { readonly dryRun: boolean }): string {
  if (dryRun)
    return `Dry run: nothing was written. Fountains that match: ${matched}; that would change: ${changed.length}`
  if (act === undefined) return 'Nothing changed'
  return `Fountains that changed: ${changed.length}, as act ${act}; openfountain moderate undo ${act} takes it back`
}

function pairsOf(given: readonly string[], table: Readonly<Record<string, (given: string) => unknown>>) {
  const pairs = given.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    const reads = Object.hasOwn(table, name) ? table[name] : undefined
    if (reads === undefined || !pair.includes('='))
      throw usage(`${JSON.stringify(pair)} must be NAME=VALUE with one of ${Object.keys(table).join(', ')}`)
    return [name, reads(value.join('='))] as const
  })
  const twice = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) < index)
  if (twice !== undefined) throw usage(`${twice[0]} is given twice`)
  return Object.fromEntries(pairs)
}

/** The conditions of a change of many; `ids` are some of them. @throws CommandError usage */
async function manyOf(given: readonly string[]): Promise<Where> {
  const [named, others] = [true, false].map((isIds) =>
    given.filter((pair) => pair.startsWith('ids=') === isIds),
  )
  const ids = (named ?? []).flatMap((pair) => words(pair.slice('ids='.length))).map(Number)
  return { ...((await whereOf(others ?? [])) as Where), ...(ids.length > 0 && { ids }) }
}

/** `amenities=+bench,-shower` adds and removes; without signs the list replaces. */
function amenitiesOf({ amenities, ...set }: Set): Set {
  const given = amenities ?? []
  const signed = (sign: string) => given.flatMap((each) => (each.startsWith(sign) ? [each.slice(1)] : []))
  const [add, remove] = [signed('+'), signed('-')]
  if (add.length + remove.length === 0) return { ...set, ...(amenities !== undefined && { amenities }) }
  if (add.length + remove.length < given.length)
    throw usage('amenities are a list, or all have + or - before them')
  return {
    ...set,
    ...(add.length > 0 && { addAmenities: add }),
    ...(remove.length > 0 && { removeAmenities: remove }),
  }
}

export const commands = [
  row('waypoint set', {
    summary: 'Changes or deletes all fountains that match, as one act.',
    more: `FIELD is ${Object.keys(settable).join(', ')}; nothing after = clears it, and amenities=+bench,-shower adds and removes. --where is needed: ids, ${conditionsBut()}. At most 5,000 at once. moderate undo with the number of the act takes it back. Run it with --dry-run first.`,
    places: { 'field=value': { about: 'What they get', rest: true } },
    options: {
      ...writingOptions,
      ...manyOptions,
      remove: flag('Deletes them'),
    },
    examples: {
      'waypoint set --where "source=City of Lund" season=04-15/10-31 --dry-run': 'Says how many would change',
      'waypoint set --where region=Lund --where verified=false verified=true': 'Verifies those of a region',
      'waypoint set --where bbox=13.1,55.6,13.3,55.8 amenities=+bench': 'Adds an amenity in a box',
      'waypoint set --where ids=12,13 --remove --reason "They were taken down"': 'Deletes two',
    },
    access: unlessDry,
    async call({ waypoints }, { where, remove, reason, 'dry-run': dryRun, 'field=value': fields }) {
      const set = amenitiesOf(pairsOf(fields, settable) as Set)
      const input = {
        where: await manyOf(where),
        ...(fields.length > 0 && { set }),
        ...(remove && { remove: true as const }),
        reason,
        dryRun,
      }
      return { ...(await waypoints.updateMany(input, token())), dryRun }
    },
    text: manyText,
  }),
  row('waypoint season', {
    summary: 'Says when all fountains that match have water in the year, as one act.',
    more: '--where has the conditions of waypoint set; --maintainer NAME is short for --where "maintainer=NAME". moderate undo with the number of the act takes it back.',
    options: {
      ...writingOptions,
      maintainer: text('NAME', 'Only fountains that this one maintains'),
      from: text('MM-DD', 'The first day with water'),
      to: text('MM-DD', 'The last day with water'),
      clear: flag('Clears the season instead'),
      ...manyOptions,
    },
    examples: {
      'waypoint season --maintainer "City of Lund" --from 04-15 --to 10-31 --dry-run':
        'Says how many would change',
      'waypoint season --where region=Lund --clear': 'Clears the season of a region',
    },
    access: unlessDry,
    async call({ waypoints }, { maintainer, where, from, to, clear, reason, 'dry-run': dryRun }) {
      if (clear ? from !== undefined || to !== undefined : from === undefined || to === undefined)
        throw usage('give --from MM-DD and --to MM-DD, or --clear')
      const given = maintainer === undefined ? [] : [`maintainer=${maintainer}`]
      const input = {
        where: await manyOf([...given, ...where]),
        set: { season: clear ? null : `${from}/${to}` },
        reason,
        dryRun,
      }
      return { ...(await waypoints.updateMany(input, token())), dryRun }
    },
    text: manyText,
  }),
  row('waypoint show', {
    summary: 'Shows a fountain with its sources and reviews, also one that was deleted.',
    more: 'log show --waypoint ID lists what was done to it.',
    places,
    options: databaseOption,
    examples: {
      'waypoint show 12': 'Shows fountain 12',
      'waypoint show 12 --json': 'Prints { "waypoint": …, "sources": …, … }',
    },
    call: (registry, { id }) => described(registry, id),
    text: (found) => factLines(factsOf(found)),
  }),
  row('waypoint approve', {
    summary: 'Approves a fountain: somebody has looked at the record.',
    more: 'moderate queue unapproved lists those that wait.',
    places,
    options: flagOptions,
    examples: {
      'waypoint approve 12': 'Approves fountain 12',
      'waypoint approve 12 --off': 'Takes that back',
    },
    access: 'change',
    ...flagging('approved'),
  }),
  row('waypoint verify', {
    summary: 'Verifies a fountain: somebody whom you trust has seen it there.',
    more: 'Whoever added it earns XP for that, once.',
    places,
    options: flagOptions,
    examples: {
      'waypoint verify 12': 'Verifies fountain 12',
      'waypoint verify 12 --off': 'Takes that back',
    },
    access: 'change',
    ...flagging('verified'),
  }),
  row('waypoint remove', {
    summary:
      'Deletes a fountain that is not there: it becomes a tombstone, which waypoint restore brings back.',
    more: 'Its log and its reviews are kept. To remove text or a position for good, as a law may require, use log redact.',
    places,
    options: removalOptions,
    examples: { 'waypoint remove 12 --reason "It was taken down"': 'Deletes fountain 12' },
    access: 'change',
    call: (registry, { id, reason }) => registry.waypoints.delete(id, token(), { reason }),
    json: (waypoint, { id }) => ({ removed: id, waypoint }),
    text: ({ name }, { id }) => `Fountain ${id} is deleted: ${inert(name)}`,
  }),
  row('waypoint restore', {
    summary: 'Brings a deleted or merged fountain back under its id.',
    places,
    options: { ...writingOptions, ...regionsOption, ...reasonOption },
    examples: { 'waypoint restore 12 --reason "It is there"': 'Brings it back' },
    access: 'change',
    call: (registry, { id, reason }) => registry.waypoints.restore(id, { reason }, token()),
    json: (waypoint) => ({ waypoint }),
    text: ({ name }, { id }) => `Fountain ${id} is back: ${inert(name)}`,
  }),
  row('review remove', {
    summary: 'Deletes a review; the XP that it earned is kept.',
    more: 'waypoint show has the numbers of the reviews of a fountain. moderate revert with the entry of the deletion brings it back. To remove its text for good, use log redact.',
    places: { id: { about: 'The number of the review', ...numbered } },
    options: removalOptions,
    examples: { 'review remove 3 --reason "An insult"': 'Deletes review 3' },
    access: 'change',
    call: (registry, { id, reason }) => registry.reviews.delete(id, token(), { reason }),
    json: (review, { id }) => ({ removed: id, review }),
    text: ({ bubblerId }, { id }) => `Review ${id} of fountain ${bubblerId} is deleted`,
  }),
]
