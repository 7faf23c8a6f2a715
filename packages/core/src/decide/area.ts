import { areaValuesOf } from '../fields/area.ts'
import { notFound, RegistryError } from '../errors.ts'
import { foldArea } from '../log/fold.ts'
import type { AreaState } from '../log/nouns.ts'
import { BoundingBoxInput, type BoundingBox } from '../schemas/area.ts'
import { parse } from '../schemas/parse.ts'
import { contribution, mustHaveScope, operator, signedIn, type Occasion } from './contributor.ts'
import type { Draft } from '../log/entry.ts'
import { the, type Deciding, type Decision } from './deciding.ts'

function onlyTokens({ actor }: Occasion): void {
  if (signedIn(actor).kind !== 'token') {
    throw new RegistryError('UNAUTHORIZED', 'Bounding boxes can only be written with an API token')
  }
}

/** A bounding box without its internal fields. */
export function publishedArea(state: AreaState): BoundingBox {
  const { deletedAt: _deleted, ...area } = state
  return area
}

/** Adds a bounding box. @throws RegistryError UNAUTHORIZED for all but API tokens, INVALID_INPUT, INVALID_COORDINATES */
export function* createArea(occasion: Occasion, input: unknown): Deciding<Decision<BoundingBox>> {
  onlyTokens(occasion)
  const { who, facts } = yield* contribution(occasion)
  mustHaveScope(who, 'administer')
  const area = parse(BoundingBoxInput, input)
  const { name, color, coordinates, properties, active } = area
  const draft: Draft = {
    subject: 'area',
    subjectId: facts.last.area + 1,
    action: 'created',
    fields: {
      name,
      ...areaValuesOf(area),
      color: color.toLowerCase(),
      coordinates,
      properties,
      active,
    },
  }
  const by = who.userId
  const after = foldArea(undefined, { awards: [], links: {}, ...draft, id: 0, by, at: occasion.at })
  return { entries: [draft], by, answer: publishedArea(after) }
}

/** A bounding box as it is, or as it was when it was removed. @throws RegistryError NOT_FOUND */
export function* areaAsItIs(
  id: number,
  { evenDeleted }: { readonly evenDeleted: boolean },
): Deciding<Decision<BoundingBox>> {
  const state = yield* the('area', id)
  if (state === undefined || (state.deletedAt !== undefined && !evenDeleted))
    throw notFound('bounding box', id)
  return { entries: [], by: operator, answer: publishedArea(state) }
}

/** Removes a bounding box, and answers it as it was. @throws RegistryError UNAUTHORIZED, NOT_FOUND */
export function* deleteArea(occasion: Occasion, id: number): Deciding<Decision<BoundingBox>> {
  onlyTokens(occasion)
  const { who, facts } = yield* contribution(occasion, [{ noun: 'area', key: id }])
  const before = facts.get('area', id)
  if (before === undefined || before.deletedAt !== undefined) throw notFound('bounding box', id)
  const draft: Draft = { subject: 'area', subjectId: id, action: 'deleted', fields: {} }
  return { entries: [draft], by: who.userId, answer: publishedArea(before) }
}
