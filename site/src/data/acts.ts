import { type ActKind, actKindOf, entryUndoneBy, type GivenEntry } from '@openfountain/core/internal'

/** An act of moderation: one log entry, or several consecutive ones. */
export interface ModerationAct {
  readonly kind: ActKind
  readonly userId: string
  readonly timestamp: string
  readonly entries: number
  readonly reason?: string
  readonly isReasonRemoved: boolean
  readonly waypointId?: number
  readonly mergedInto?: number
  readonly part?: 'review' | 'photo'
  readonly personId?: string
  /** The end of a block. */
  readonly until?: string
}

interface LoggedAct extends Pick<ModerationAct, 'kind' | 'userId' | 'timestamp' | 'entries'> {
  readonly entry: GivenEntry
}

/** Entries that acts refer to, found in a second reading of the log. */
export interface Referred {
  readonly entries: ReadonlyMap<number, Pick<GivenEntry, 'by' | 'subject' | 'subjectId'>>
  /** Reviews and photos by {@link partKey}. */
  readonly parts: ReadonlyMap<string, { readonly waypointId: number; readonly userId: string }>
}

export const partKey = ({
  subject,
  subjectId,
}: Pick<GivenEntry, 'subject' | 'subjectId'>): string | undefined =>
  subject === 'review' || subject === 'photo' ? `${subject} ${subjectId}` : undefined

const most = 200

/** The newest acts of moderation, collected in one pass over the log. Memory does not grow with the log. */
export class Acts {
  readonly #certain: LoggedAct[] = []
  /** Deleted reviews and photos: moderation unless the author deleted it, which only much earlier entries say. */
  readonly #parts: LoggedAct[] = []

  /** Takes an entry of any kind, in the order of the log. */
  add(entry: GivenEntry): void {
    const { act } = entry.links
    if (act !== undefined && act !== entry.id) return this.#goOn(act, entry)
    const kind = actKindOf(entry)
    if (kind === undefined) return
    const acts = isPartDeletion(kind, entry) ? this.#parts : this.#certain
    acts.push({ kind, entry, userId: entry.by, timestamp: entry.at, entries: 1 })
    if (acts.length > most) acts.shift()
  }

  /** Counts a further entry of an act. A redaction comes last and decides its kind. */
  #goOn(first: number, entry: GivenEntry): void {
    for (const acts of [this.#certain, this.#parts]) {
      const act = acts.at(-1)
      if (act === undefined || (act.entry.id !== first && act.entry.links.act !== first)) continue
      const redaction = entry.subject === 'entry' && ({ kind: 'redacted', entry } as const)
      acts[acts.length - 1] = { ...act, ...redaction, entries: act.entries + 1 }
      return
    }
  }

  #all(): LoggedAct[] {
    return [...this.#certain, ...this.#parts].toSorted((one, other) => other.entry.id - one.entry.id)
  }

  /** The ids of the entries, and the reviews and photos, that the acts refer to. */
  get referred(): { readonly entries: ReadonlySet<number>; readonly parts: ReadonlySet<string> } {
    const all = this.#all()
    return {
      entries: new Set(all.flatMap(({ kind, entry }) => entryUndoneBy(kind, entry) ?? [])),
      parts: new Set(all.flatMap(({ entry }) => partKey(entry) ?? [])),
    }
  }

  get waypointIds(): readonly number[] {
    return this.#all().flatMap(({ entry: { subject, subjectId, links } }) =>
      subject === 'waypoint' ? [Number(subjectId), links.mergedInto ?? Number(subjectId)] : [],
    )
  }

  /** The acts, newest first. @param redacted the redacted fields of an entry */
  result(
    { entries, parts }: Referred,
    redacted: (entryId: number) => ReadonlySet<string>,
  ): readonly ModerationAct[] {
    return this.#all()
      .filter(
        ({ kind, entry, userId }) =>
          !isPartDeletion(kind, entry) || parts.get(partKey(entry) ?? '')?.userId !== userId,
      )
      .slice(0, most)
      .map(({ entry, ...act }): ModerationAct => {
        const undone = entries.get(entryUndoneBy(act.kind, entry) ?? 0)
        const about = act.kind === 'redacted' ? (undone ?? entry) : entry
        const { subject, subjectId } = about
        const part = parts.get(partKey(about) ?? '')
        const { reason, until } = entry.fields
        const isReasonRemoved = redacted(entry.id).has('reason') || isReasonLost(entry)
        const undoneOf = undone?.by === 'api' ? undefined : undone?.by
        return {
          ...act,
          ...(typeof reason === 'string' && !isReasonRemoved && { reason }),
          isReasonRemoved,
          ...((subject === 'review' || subject === 'photo') && { part: subject }),
          waypointId: subject === 'waypoint' ? Number(subjectId) : part?.waypointId,
          mergedInto: entry.links.mergedInto,
          personId: subject === 'user' ? String(subjectId) : undoneOf,
          ...(act.kind === 'blocked' && typeof until === 'string' && { until }),
        }
      })
  }
}

const isPartDeletion = (kind: ActKind, entry: GivenEntry): boolean =>
  kind === 'deleted' && partKey(entry) !== undefined

const isReasonLost = ({ fields, withheld, commitments }: GivenEntry): boolean =>
  fields['reason'] === undefined && withheld === undefined && commitments?.['reason'] !== undefined
