import type { z } from 'zod'
import { areaValuesOf } from '../fields/area.ts'
import { notFound } from '../errors.ts'
import { foldDraft } from '../log/fold.ts'
import { isLive, publishedOf } from '../log/nouns.ts'
import { BoundingBoxInput, type BoundingBox } from '../schemas/area.ts'
import { parse } from '../schemas/parse.ts'
import { administration, type Occasion } from './contributor.ts'
import { draftOf, type ChangedFields } from '../log/entry.ts'
import type { Need, Decided } from './deciding.ts'

const writer = (occasion: Occasion, needs?: readonly Need[]) =>
  administration(occasion, 'Bounding boxes', needs)

function fieldsOf(area: z.output<typeof BoundingBoxInput>): ChangedFields {
  const { name, color, coordinates, properties, active } = area
  return { name, ...areaValuesOf(area), color: color.toLowerCase(), coordinates, properties, active }
}

export function* createArea(occasion: Occasion, input: unknown): Decided<BoundingBox> {
  const { by, facts } = yield* writer(occasion)
  const fields = fieldsOf(parse(BoundingBoxInput, input))
  const draft = draftOf('area', facts.last.area + 1, 'created', fields)
  const after = foldDraft('area', undefined, draft, { by, at: occasion.at })
  return { entries: [draft], by, answer: publishedOf(after) }
}

/** Removes a bounding box, and returns its last state. */
export function* deleteArea(occasion: Occasion, id: number): Decided<BoundingBox> {
  const { by, facts } = yield* writer(occasion, [{ noun: 'area', key: id }])
  const before = facts.get('area', id)
  if (!isLive(before)) throw notFound('bounding box', id)
  return { entries: [draftOf('area', id, 'deleted')], by, answer: publishedOf(before) }
}

export function* restoreArea(occasion: Occasion, id: number): Decided<BoundingBox> {
  const about = { subject: 'area', subjectId: id } as const
  const { by, facts } = yield* writer(occasion, [
    { noun: 'area', key: id },
    { ask: 'entriesAbout', of: about },
  ])
  const before = facts.get('area', id)
  if (before?.deletedAt === undefined) throw notFound('removed bounding box', id)
  const deleted = facts.ask('entriesAbout', about).findLast(({ action }) => action === 'deleted')
  if (deleted === undefined) throw new Error(`area ${id} has no deletion in the log`)
  const draft = { ...draftOf('area', id, 'created', fieldsOf(before)), links: { restores: deleted.id } }
  const after = foldDraft('area', before, draft, { by, at: occasion.at })
  return { entries: [draft], by, answer: publishedOf(after) }
}
