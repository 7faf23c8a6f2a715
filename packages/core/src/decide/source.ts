import type { SourceFacts } from '../log/nouns.ts'
import type { SourceInput } from '../schemas/source.ts'
import type { Draft } from '../log/entry.ts'
import { operator } from './contributor.ts'
import type { Deciding, Decision } from './deciding.ts'

/** A source with the draft that adds or changes it, if one is needed. */
export interface EnsuredSource {
  readonly id: number
  readonly before: SourceFacts | undefined
  readonly drafts: readonly Draft[]
}

/** The source with this name, with what adds it or gives it these terms; members that are not given stay. */
export function* ensuredSource(given: SourceInput): Deciding<EnsuredSource> {
  const { name, url, license, attribution } = given
  const facts = yield [{ noun: 'source', where: { name } }]
  const [before] = facts.find('source', { name })
  if (before === undefined) {
    const fields = {
      ...(attribution !== undefined && { attribution }),
      license,
      name,
      ...(url !== undefined && { url }),
    }
    const id = facts.last.source + 1
    return { id, before, drafts: [{ subject: 'source', subjectId: id, action: 'created', fields }] }
  }
  const changed = {
    ...(attribution !== undefined && attribution !== before.attribution && { attribution }),
    ...(license !== before.license && { license }),
    ...(url !== undefined && url !== before.url && { url }),
  }
  const isSame = Object.keys(changed).length === 0
  const draft: Draft = { subject: 'source', subjectId: before.id, action: 'edited', fields: changed }
  return { id: before.id, before, drafts: isSame ? [] : [draft] }
}

/** Adds a source, or gives the one with this name these terms; answers its id. */
export function* ensureSource(given: SourceInput): Deciding<Decision<number>> {
  const { id, drafts } = yield* ensuredSource(given)
  return { entries: drafts, by: operator, answer: id }
}
