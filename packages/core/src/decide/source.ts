import { sourceOptionals, sourceValuesOf } from '../fields/source.ts'
import type { SourceFacts } from '../log/nouns.ts'
import type { SourceInput } from '../schemas/source.ts'
import { draftOf, type Draft } from '../log/entry.ts'
import { changedFields } from './changed-fields.ts'
import { operator } from './contributor.ts'
import type { Deciding, Decision } from './deciding.ts'

/** A source with the draft that adds or changes it, if one is needed. */
export interface EnsuredSource {
  readonly id: number
  readonly before: SourceFacts | undefined
  readonly drafts: readonly Draft[]
}

/** The fields of a source that may change; its name identifies it. */
const changeable = ['license', ...sourceOptionals] as const

/** The source with this name, and the drafts that add it or change its terms; absent members stay. */
export function* ensuredSource(given: SourceInput): Deciding<EnsuredSource> {
  const { name, license } = given
  const facts = yield [{ noun: 'source', where: { name } }]
  const [before] = facts.find('source', { name })
  if (before === undefined) {
    const fields = { ...sourceValuesOf(given), license, name }
    const id = facts.last.source + 1
    return { id, before, drafts: [draftOf('source', id, 'created', fields)] }
  }
  const changed = changedFields(changeable, before, given)
  const isSame = Object.keys(changed).length === 0
  return { id: before.id, before, drafts: isSame ? [] : [draftOf('source', before.id, 'edited', changed)] }
}

/** Adds a source, or gives the one with this name these terms; answers its id. */
export function* ensureSource(given: SourceInput): Deciding<Decision<number>> {
  const { id, drafts } = yield* ensuredSource(given)
  return { entries: drafts, by: operator, answer: id }
}
