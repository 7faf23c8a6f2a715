import { wrongFieldsIn } from '../../../api/request.ts'
import { readTexts } from '../../../client/labels-of.ts'
import { seasonWords } from '../../../hours/season.ts'
import { fill, formatFor } from '../../../messages.ts'
import { refusalWords } from '../../../ui/refusal.ts'
import { fountainOf, type StoredRefusal, type Submission } from '../submission.ts'
import { customText } from '../../../custom-fields.ts'
import type { Difference } from '../conflict.ts'
import { fieldAt, memberOf, type Fields } from '../../members.ts'
import type { OutboxWords, Wording } from '../words.ts'

/** The texts of a language. @throws Error when they cannot be read */
export const wordingOf = async (tag: string): Promise<Wording> => ({
  words: await readTexts<OutboxWords>(`outbox/${tag}`),
  format: formatFor(tag),
})

/** The state of a submission as text. */
export function stateText(
  { words: { outbox } }: Wording,
  submission: Submission,
  all: readonly Submission[],
): string {
  const { state } = outbox
  if (submission.state !== 'waiting') return state[submission.state]
  if (all.some(({ key }) => key === fountainOf(submission))) return state.after
  return submission.isUncertain ? state.uncertain : state.waiting
}

/** A field's name; unknown ones are returned unchanged. */
export function fieldName({ words }: Wording, field: string): string {
  if (field === 'position') return words.position
  const own = memberOf(field)
  if (own !== undefined) return (Object.hasOwn(words.custom, own) ? words.custom[own] : undefined) ?? own
  const names: Readonly<Record<string, string>> = { ...words.field, ...words.outbox.fields }
  return Object.hasOwn(names, field) ? (names[field] ?? field) : field
}

/** A value of a field as people read it. */
export function valueText(wording: Wording, { field, names }: Difference, values: Fields): string {
  const { words, format } = wording
  if (field === 'position') return names.map((name) => Number(values[name]).toFixed(5)).join(', ')
  const value = values[field]
  if (memberOf(field) !== undefined) return customText(value) || words.outbox.nothing
  if (Array.isArray(value)) {
    const labels: Readonly<Record<string, string>> = words.amenity
    return value.length === 0
      ? words.outbox.nothing
      : value
          .map((key) => (Object.hasOwn(labels, String(key)) ? labels[String(key)] : String(key)))
          .join(', ')
  }
  if (value === null || value === undefined || value === '') return words.outbox.nothing
  const choices: Readonly<Record<string, string>> = words.fact
  const text = String(value)
  if (field === 'season') return seasonWords({}, format, text)
  return choices[`${field}.${text}`] ?? text
}

/** The text of a refusal in the reader's language, with the remedy. */
export function refusalText(wording: Wording, refusal: StoredRefusal): string {
  const { words, format } = wording
  const { problem } = words.outbox
  return refusalWords(
    refusal,
    { problem: words.problem, format },
    {
      INSUFFICIENT_XP: ({ details: { required, current } }) =>
        fill(problem.xp, {
          required: format.number(Number(required)),
          current: format.number(Number(current)),
        }),
      DUPLICATE: problem.duplicate,
      NOT_FOUND: problem.gone,
      INVALID_COORDINATES: fill(problem.fields, { fields: words.position }),
      INVALID_INPUT({ details }) {
        const named = new Set(wrongFieldsIn(details).map((path) => fieldName(wording, fieldAt(path))))
        return named.size === 0 ? problem.other : fill(problem.fields, { fields: [...named].join(', ') })
      },
      other: problem.other,
    },
  )
}

/** The title of a submission, for the labels of its buttons. */
export const submissionName = ({ words, format }: Wording, { kind, subject }: Submission): string =>
  fill(words.labelled, { label: words.outbox.kind[kind], text: format.isolate(subject) })

/** Whether the submission waits for a decision of the user. */
export const needsDecision = ({ state }: Submission): boolean => state === 'conflict' || state === 'refused'
