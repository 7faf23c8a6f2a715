import { RegistryError, token, type Registry, type Waypoint } from '@openfountain/core'
import { command, type Context } from '../command.ts'
import { inert } from '../inert.ts'
import { databaseOption, regionsOption, withRegistry, writingOptions } from '../settings.ts'
import { reasonOption } from './reverts.ts'
import { numberOf } from './sessions.ts'

const waypointPositional = { name: 'ID', about: 'The fountain' } as const

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
    ...(place && { place }),
    ...(status && { status }),
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

function facts({ waypoint, isDeleted, mergedInto, place, status, sources, reviews, entries }: Described) {
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

export const waypointShow = command({
  name: 'waypoint show',
  summary: 'Shows a fountain with its sources and reviews, also one that was deleted.',
  more: 'log show --waypoint ID lists what was done to it.',
  positionals: [waypointPositional],
  options: databaseOption,
  examples: [
    { line: 'openfountain waypoint show 12', does: 'Shows fountain 12' },
    { line: 'openfountain waypoint show 12 --json', does: 'Prints { "waypoint": …, "sources": …, … }' },
  ],
  async run(options, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'read', context, async (registry) => {
      const found = await described(registry, number)
      context.out.facts(found, facts(found))
    })
  },
})

type Flag = 'approved' | 'verified'

const offOption = { off: { type: 'flag', about: 'Takes it back' } } as const

/** Turns a flag of a waypoint. */
async function flag(
  registry: Registry,
  { id, name, value }: { readonly id: string; readonly name: Flag; readonly value: boolean },
  { out }: Context,
): Promise<void> {
  const waypoint: Waypoint = await registry.waypoints.update(numberOf(id), { [name]: value }, token())
  const is = value ? 'is' : 'is not'
  out.result({ waypoint }, () => [`Fountain ${waypoint.id} ${is} ${name}: ${inert(waypoint.name)}`])
}

export const waypointApprove = command({
  name: 'waypoint approve',
  summary: 'Approves a fountain: somebody has looked at the record.',
  more: 'moderate queue unapproved lists those that wait.',
  positionals: [waypointPositional],
  options: { ...writingOptions, ...offOption },
  examples: [
    { line: 'openfountain waypoint approve 12', does: 'Approves fountain 12' },
    { line: 'openfountain waypoint approve 12 --off', does: 'Takes that back' },
  ],
  async run({ off, ...options }, [id = ''], context) {
    await withRegistry(options, 'change', context, (registry) =>
      flag(registry, { id, name: 'approved', value: !off }, context),
    )
  },
})

export const waypointVerify = command({
  name: 'waypoint verify',
  summary: 'Verifies a fountain: somebody whom you trust has seen it there.',
  more: 'Whoever added it earns XP for that, once.',
  positionals: [waypointPositional],
  options: { ...writingOptions, ...offOption },
  examples: [
    { line: 'openfountain waypoint verify 12', does: 'Verifies fountain 12' },
    { line: 'openfountain waypoint verify 12 --off', does: 'Takes that back' },
  ],
  async run({ off, ...options }, [id = ''], context) {
    await withRegistry(options, 'change', context, (registry) =>
      flag(registry, { id, name: 'verified', value: !off }, context),
    )
  },
})

export const waypointRemove = command({
  name: 'waypoint remove',
  summary:
    'Deletes a fountain that is not there: it becomes a tombstone, which waypoint restore brings back.',
  more: 'Its log and its reviews are kept. To remove text or a position for good, as a law may require, use log redact.',
  positionals: [waypointPositional],
  options: { ...writingOptions, ...reasonOption },
  examples: [
    { line: 'openfountain waypoint remove 12 --reason "It was taken down"', does: 'Deletes fountain 12' },
  ],
  async run({ reason, ...options }, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      const waypoint = await registry.waypoints.delete(number, token(), { reason })
      context.out.result({ removed: number, waypoint }, () => [
        `Fountain ${number} is deleted: ${inert(waypoint.name)}`,
      ])
    })
  },
})

export const waypointRestore = command({
  name: 'waypoint restore',
  also: ['moderate restore'],
  summary: 'Brings a deleted or merged fountain back under its id.',
  positionals: [waypointPositional],
  options: { ...writingOptions, ...regionsOption, ...reasonOption },
  examples: [{ line: 'openfountain waypoint restore 12 --reason "It is there"', does: 'Brings it back' }],
  async run({ reason, ...options }, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      const waypoint = await registry.waypoints.restore(number, { reason }, token())
      context.out.result({ waypoint }, () => [`Fountain ${number} is back: ${inert(waypoint.name)}`])
    })
  },
})

export const reviewRemove = command({
  name: 'review remove',
  summary: 'Deletes a review; the XP that it earned is kept.',
  more: 'waypoint show has the numbers of the reviews of a fountain. moderate revert with the entry of the deletion brings it back. To remove its text for good, use log redact.',
  positionals: [{ name: 'ID', about: 'The number of the review' }],
  options: { ...writingOptions, ...reasonOption },
  examples: [{ line: 'openfountain review remove 3 --reason "An insult"', does: 'Deletes review 3' }],
  async run({ reason, ...options }, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      const review = await registry.reviews.delete(number, token(), { reason })
      context.out.result({ removed: number, review }, () => [
        `Review ${number} of fountain ${review.bubblerId} is deleted`,
      ])
    })
  },
})
