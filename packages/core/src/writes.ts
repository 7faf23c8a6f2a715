import { randomUUID } from 'node:crypto'
import { createArea, deleteArea } from './decide/area.ts'
import type { Actor, Occasion } from './decide/contributor.ts'
import type { Decided } from './decide/deciding.ts'
import { createReport } from './decide/report.ts'
import { createReview, deleteReview, updateReview } from './decide/review.ts'
import {
  createWaypoint,
  deleteWaypoint,
  type DeletionReason,
  updateWaypoint,
  type WaypointCondition,
} from './decide/waypoint.ts'
import { invalid, invalidBecause } from './errors.ts'
import type { Properties } from './fields/field.ts'
import { answerOf } from './log/script.ts'
import { limits } from './rules.ts'
import type { BoundingBox, BoundingBoxInput } from './schemas/area.ts'
import type { CreateOptions } from './schemas/duplicate.ts'
import { knownOptions } from './schemas/parse.ts'
import type { ReportInput } from './schemas/report.ts'
import type { Review, ReviewInput, ReviewPatch } from './schemas/review.ts'
import type { Waypoint, WaypointInput, WaypointPatch } from './schemas/waypoint.ts'
import type { Shared } from './shared.ts'

interface Methods<Custom extends Properties> {
  'waypoints.create': (input: WaypointInput<Custom>, options?: CreateOptions) => Waypoint<Custom>
  'waypoints.update': (
    id: number,
    input: WaypointPatch<Custom>,
    condition?: WaypointCondition,
  ) => Waypoint<Custom>
  'waypoints.delete': (id: number, options?: WaypointCondition & DeletionReason) => Waypoint<Custom>
  'reviews.create': (input: ReviewInput) => Review
  'reviews.update': (id: number, input: ReviewPatch) => Review
  'reviews.delete': (id: number, options?: DeletionReason) => Review
  'areas.create': (input: BoundingBoxInput) => BoundingBox
  'areas.delete': (id: number) => BoundingBox
}
type Method = keyof Methods<Properties>

/** One of several writes: the name of a method and what it takes, without the actor. */
export type Write<Custom extends Properties = Properties> = {
  readonly [Name in Method]: readonly [method: Name, ...given: Parameters<Methods<Custom>[Name]>]
}[Method]

/** What each of several writes returns, in their order. */
export type Written<Custom extends Properties, All extends readonly Write<Custom>[]> = {
  -readonly [Place in keyof All]: All[Place] extends readonly [infer Name extends Method, ...unknown[]]
    ? ReturnType<Methods<Custom>[Name]>
    : never
}

type Decide<Answer> = (occasion: Occasion) => Decided<Answer>

/** The decision of each method. @internal */
export const decisions: {
  readonly [Name in Method]: (
    ...given: Parameters<Methods<Properties>[Name]>
  ) => Decide<ReturnType<Methods<Properties>[Name]>>
} = {
  'waypoints.create':
    (input, options = {}) =>
    (occasion) =>
      createWaypoint(occasion, input, options),
  'waypoints.update'(id, input, condition = {}) {
    const known = knownOptions(condition, ['ifVersion'])
    const newId = randomUUID()
    const reporting = (occasion: Occasion, report: ReportInput) => createReport(occasion, report, { newId })
    return (occasion) => updateWaypoint(occasion, id, input, { ...known, reporting })
  },
  'waypoints.delete'(id, options = {}) {
    const known = knownOptions(options, ['ifVersion', 'reason'])
    return (occasion) => deleteWaypoint(occasion, id, known)
  },
  'reviews.create': (input) => (occasion) => createReview(occasion, input),
  'reviews.update': (id, input) => (occasion) => updateReview(occasion, id, input),
  'reviews.delete'(id, options = {}) {
    const known = knownOptions(options, ['reason'])
    return (occasion) => deleteReview(occasion, id, known)
  },
  'areas.create': (input) => (occasion) => createArea(occasion, input),
  'areas.delete': (id) => (occasion) => deleteArea(occasion, id),
}

/** The decision of one of several writes. @throws RegistryError INVALID_INPUT for another method */
function decisionOf([method, ...given]: Write, place: number): Decide<unknown> {
  if (!Object.hasOwn(decisions, method))
    throw invalid(`${place}.0`, `must be one of ${Object.keys(decisions).join(', ')}`)
  // The compiler cannot relate a name to what its method takes.
  return (decisions[method] as (...all: readonly unknown[]) => Decide<unknown>)(...given)
}

/** Writes all, or none: see `Registry.write`. @internal */
export async function writeAll(
  { store, rules, properties, labelOf }: Shared,
  all: readonly Write[],
  actor: Actor,
): Promise<unknown[]> {
  if (![all, ...(Array.isArray(all) ? all : [])].every(Array.isArray))
    throw invalidBecause('writes', "must be a list such as [['waypoints.delete', 1]]")
  if (all.length > limits.writesAtOnce)
    throw invalidBecause('writes', `are ${all.length}: at most ${limits.writesAtOnce} are one write`)
  const jobs = dataOf(all)
    .map(decisionOf)
    .map((decide) => ({
      decide: (at: string) => decide({ rules, properties, labelOf, actor, at }),
      isPart: all.length > 1,
    }))
  return (await store.writeBatch<unknown>(jobs)).map(answerOf)
}

/** A copy without getters, which would run inside. @throws RegistryError INVALID_INPUT */
function dataOf(all: readonly Write[]): readonly Write[] {
  try {
    return structuredClone(all)
  } catch {
    throw invalidBecause('writes', 'must be data, without functions')
  }
}
