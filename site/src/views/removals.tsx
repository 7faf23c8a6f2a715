import type { Removal } from '@openfountain/core'
import { fill, picked, type Format, type Messages } from '../messages.ts'
import { List } from '../ui/list.tsx'

export const removalWords = ({ outbox: { contributions } }: Pick<Messages, 'outbox'>) => ({
  ...picked(contributions, 'removed', 'yourReview', 'reason', 'noReason'),
  now: picked(contributions.now, 'merged'),
})

export interface RemovalsProps {
  readonly removals: readonly Removal[]
  readonly words: ReturnType<typeof removalWords>
  readonly format: Format
}

export const Removals = ({ removals, words, format }: RemovalsProps) => (
  <List
    items={removals.map(({ subject, name, removedAt, reason, mergedInto }, id) => ({
      id,
      title: subject === 'review' ? fill(words.yourReview, { name: format.isolate(name) }) : name,
      details: [
        format.date(removedAt),
        ...(mergedInto === undefined ? [] : [words.now.merged]),
        reason === undefined ? words.noReason : fill(words.reason, { reason: format.isolate(reason) }),
      ],
      actions: [],
    }))}
  />
)
