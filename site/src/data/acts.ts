import { type ActKind, actKindOf, entryUndoneBy, type GivenEntry } from '@openfountain/core/internal'

/** An act of moderation: one log entry, or several consecutive ones. */
export interface LoggedAct {
  readonly kind: ActKind
  /** The entry that names the action. */
  readonly entry: GivenEntry
  /** Author and time of the first entry. */
  readonly userId: string
  readonly timestamp: string
  /** The number of its log entries. */
  readonly entries: number
  readonly reason?: string
  /** Whether the reason was removed. */
  readonly isReasonRemoved: boolean
}

/** The subject of an act, as far as the log has it. */
export interface ModerationAct extends Omit<LoggedAct, 'entry'> {
  readonly waypointId?: number
  readonly mergedInto?: number
  /** Whether it is about a review of the waypoint. */
  readonly isOfReview: boolean
  /** The person who was blocked, or whose changes were reverted or redacted. */
  readonly personId?: string
  /** The end of a block. */
  readonly until?: string
}

/** Entries that acts refer to, found in a second reading of the log. */
export interface Referred {
  readonly entries: ReadonlyMap<number, Pick<GivenEntry, 'by' | 'subject' | 'subjectId'>>
  readonly reviews: ReadonlyMap<number, { readonly waypointId: number; readonly userId: string }>
}

const most = 200

/** The newest acts of moderation, collected in one pass over the log. Memory does not grow with the log. */
export class Acts {
  readonly #certain: LoggedAct[] = []
  /** Deleted reviews: moderation unless the author deleted it, which only much earlier entries say. */
  readonly #reviews: LoggedAct[] = []
  readonly #unreasoned = new Set<number>()

  /** Takes an entry of any kind, in the order of the log. */
  add(entry: GivenEntry): void {
    const { subject, subjectId, fields, links } = entry
    if (subject === 'entry' && Array.isArray(fields['names']) && fields['names'].includes('reason'))
      this.#unreasoned.add(Number(subjectId))
    if (links.act !== undefined && links.act !== entry.id) return this.#goOn(links.act, entry)
    const kind = actKindOf(entry)
    if (kind === undefined) return
    const acts = isReviewDeletion(kind, entry) ? this.#reviews : this.#certain
    acts.push(actOf(kind, entry, { userId: entry.by, timestamp: entry.at, entries: 1 }))
    if (acts.length > most) acts.shift()
  }

  /** Counts a further entry of an act. A redaction comes last and decides its kind. */
  #goOn(first: number, entry: GivenEntry): void {
    for (const acts of [this.#certain, this.#reviews]) {
      const act = acts.at(-1)
      if (act === undefined || (act.entry.id !== first && act.entry.links.act !== first)) continue
      const known = { ...act, entries: act.entries + 1 }
      acts[acts.length - 1] = entry.subject === 'entry' ? actOf('redacted', entry, known) : known
      return
    }
  }

  #all(): LoggedAct[] {
    return [...this.#certain, ...this.#reviews].toSorted((one, other) => other.entry.id - one.entry.id)
  }

  /** The ids of the entries and of the reviews that the acts refer to. */
  get referred(): { readonly entries: ReadonlySet<number>; readonly reviews: ReadonlySet<number> } {
    const all = this.#all()
    return {
      entries: new Set(all.flatMap(({ kind, entry }) => entryUndoneBy(kind, entry) ?? [])),
      reviews: new Set(
        all.flatMap(({ entry: { subject, subjectId } }) => (subject === 'review' ? [Number(subjectId)] : [])),
      ),
    }
  }

  /** The waypoints that acts name. */
  get waypointIds(): readonly number[] {
    return this.#all().flatMap(({ entry: { subject, subjectId, links } }) =>
      subject === 'waypoint' ? [Number(subjectId), links.mergedInto ?? Number(subjectId)] : [],
    )
  }

  /** The acts, newest first. */
  result({ entries, reviews }: Referred): readonly ModerationAct[] {
    return this.#all()
      .filter(
        ({ kind, entry, userId }) =>
          !isReviewDeletion(kind, entry) || reviews.get(Number(entry.subjectId))?.userId !== userId,
      )
      .slice(0, most)
      .map((act): ModerationAct => {
        const { entry, ...shown } = act
        const undone = entries.get(entryUndoneBy(act.kind, entry) ?? 0)
        const { subject, subjectId } = act.kind === 'redacted' ? (undone ?? entry) : entry
        const review = subject === 'review' ? reviews.get(Number(subjectId)) : undefined
        const waypointId = subject === 'waypoint' ? Number(subjectId) : review?.waypointId
        const { mergedInto } = entry.links
        const { until } = entry.fields
        const personId =
          subject === 'user' ? String(subjectId) : undone?.by === 'api' ? undefined : undone?.by
        const isReasonRemoved = shown.isReasonRemoved || this.#unreasoned.has(entry.id)
        const { reason, ...rest } = shown
        return {
          ...rest,
          ...(reason !== undefined && !isReasonRemoved && { reason }),
          isReasonRemoved,
          isOfReview: subject === 'review',
          waypointId,
          mergedInto,
          personId,
          ...(act.kind === 'blocked' && typeof until === 'string' && { until }),
        }
      })
  }
}

const isReviewDeletion = (kind: ActKind, { subject }: GivenEntry): boolean =>
  kind === 'deleted' && subject === 'review'

function actOf(
  kind: ActKind,
  entry: GivenEntry,
  { userId, timestamp, entries }: Pick<LoggedAct, 'userId' | 'timestamp' | 'entries'>,
): LoggedAct {
  const { reason } = entry.fields
  return {
    kind,
    entry,
    userId,
    timestamp,
    entries,
    ...(typeof reason === 'string' && { reason }),
    isReasonRemoved:
      reason === undefined && entry.withheld === undefined && entry.commitments?.['reason'] !== undefined,
  }
}
