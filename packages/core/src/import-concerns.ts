import { importing } from './rules.ts'

/** Why an import stops before it writes: each code with its facts. */
export interface ConcernFacts {
  /** More than a fifth (`rules.ts`) of the waypoints that the source lists would be marked or removed. */
  SHRINK: { readonly gone: number; readonly listed: number }
  EMPTIED: { readonly field: string; readonly rows: number; readonly listed: number }
  /** No row has a reference under which the source is known, of so many that have one. */
  REFERENCES_UNKNOWN: { readonly rows: number; readonly listed: number }
  /** An earlier publication than the newest import's; days as `YYYY-MM-DD`. */
  OLDER: { readonly published: string; readonly newest: string }
  /** The same file was imported at this time, and another one since. */
  SUPERSEDED: { readonly importedAt: string }
  /** It calls itself a part: rows that it has, and how many there are, where it says so. */
  PARTIAL: { readonly returned: number; readonly total?: number | undefined }
}

export type ConcernCode = keyof ConcernFacts

/** Concerns that a caller may accept, by group. */
export const acceptances = ['shrink', 'older', 'partial'] as const
export type Acceptance = (typeof acceptances)[number]

const acceptedBy: { readonly [Code in ConcernCode]: Acceptance } = {
  SHRINK: 'shrink',
  EMPTIED: 'shrink',
  REFERENCES_UNKNOWN: 'shrink',
  OLDER: 'older',
  SUPERSEDED: 'older',
  PARTIAL: 'partial',
}

/** A reason for which an import stops, unless `accept` is accepted: a code with its facts. */
export type ImportConcern<Code extends ConcernCode = ConcernCode> = {
  [One in Code]: { readonly code: One; readonly accept: Acceptance } & ConcernFacts[One]
}[Code]

export function concern<Code extends ConcernCode>(
  code: Code,
  facts: ConcernFacts[Code],
): ImportConcern<Code> {
  return { code, accept: acceptedBy[code], ...facts } as unknown as ImportConcern<Code>
}

export interface Shrinking {
  readonly listed: number
  /** Marked or removed by this run, those that were marked already not counted unless they are removed. */
  readonly gone: number
  /** Rows with references of their own, where the source has some and none of these is known. Default 0. */
  readonly unknown?: number
  /** Rows that would empty a field, by its name. Default none. */
  readonly emptied?: ReadonlyMap<string, number>
}

export function shrinkConcerns({
  listed,
  gone,
  unknown = 0,
  emptied = new Map(),
}: Shrinking): ImportConcern[] {
  const most = listed * importing.mostGone
  return [
    ...(gone > most ? [concern('SHRINK', { gone, listed })] : []),
    ...[...emptied].flatMap(([field, rows]) =>
      rows > most ? [concern('EMPTIED', { field, rows, listed })] : [],
    ),
    ...(unknown > 0 ? [concern('REFERENCES_UNKNOWN', { rows: unknown, listed })] : []),
  ]
}
