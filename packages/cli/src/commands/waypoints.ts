import { RegistryError, token, type Registry, type Waypoint } from '@openfountain/core'
import { inert } from '../inert.ts'
import { flag, numbered } from '../options.ts'
import { row } from '../row.ts'
import { databaseOption, reasonOption, regionsOption, writingOptions } from '../settings.ts'
import { factLines } from '../table.ts'

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

/** All data of a waypoint except its log. */
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

/** The call and the output of commands that set or clear a flag of a waypoint. */
const flagging = (name: 'approved' | 'verified') => ({
  call: (registry: Registry, { id, off }: { readonly id: number; readonly off: boolean }) =>
    registry.waypoints.update(id, { [name]: !off }, token()),
  json: (waypoint: Waypoint) => ({ waypoint }),
  text: (waypoint: Waypoint, { off }: { readonly off: boolean }) =>
    `Fountain ${waypoint.id} ${off ? 'is not' : 'is'} ${name}: ${inert(waypoint.name)}`,
})

export const commands = [
  row('waypoint show', {
    summary: 'Shows a fountain with its sources and reviews, also one that was deleted.',
    more: 'log show --waypoint ID lists what was done to it.',
    places,
    options: databaseOption,
    examples: {
      'waypoint show 12': 'Shows fountain 12',
      'waypoint show 12 --json': 'Prints { "waypoint": …, "sources": …, … }',
    },
    access: 'read',
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
    also: ['moderate restore'],
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
