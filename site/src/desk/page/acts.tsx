import type { LogEntry, LoggedEntry, Report, Review, Waypoint } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { Refusal } from '../../api/request.ts'
import { Choices, Field, textIn, wrongFields } from '../../ui/form.tsx'
import { ask, deletionQuery, MomentField, momentIn } from './ask.tsx'
import { desk, distanceWords, entryName, format, fountainName, labelled } from './config.ts'
import { personName, withName, words } from './config.ts'
import type { Setting } from './panel.tsx'
import { comparison, differenceList, named, shownFields, sideOf, valuesOf } from './parts.tsx'
import { pathOf, read, readFountain, send } from './requests.ts'
import type { Fountain, NamedPerson, Nearby } from './requests.ts'

/** Acts of moderators on fountains, reviews, reports and people, each with its question, request and undo. */

/** The reason of what an undo does. */
const undoing = { reason: desk.undoReason }

const revert = (entry: number, body: object) =>
  send<{ entries: readonly number[] }>('POST', `/logs/${entry}/revert`, body)

/** Sets or removes a moderator's flag, if the fountain is unchanged. */
export function setFlag(
  setting: Setting,
  { waypoint, etag }: Fountain,
  flag: 'approved' | 'verified',
  value: boolean,
): void {
  const path = `/waypoints/${waypoint.id}`
  const said = withName(desk.did[value ? flag : (`un${flag}` as const)], fountainName(waypoint))
  setting.attempt(async () => {
    try {
      await send('PATCH', path, { [flag]: value }, etag)
      setting.done({ said, undo: () => send('PATCH', path, { [flag]: !value }) })
    } catch (error) {
      showChanges(setting, error, waypoint)
    }
  })
}

/** Deletes a fountain; the undo restores it. */
export const deleteWaypoint = (setting: Setting, { waypoint, etag }: Fountain): Promise<void> =>
  ask(setting, {
    title: desk.delete,
    text: desk.deleteText,
    reason: 'optional',
    isDanger: true,
    async work(data) {
      const path = `/waypoints/${waypoint.id}`
      try {
        await send('DELETE', `${path}${deletionQuery(data)}`, undefined, etag)
      } catch (error) {
        if (!isChanged(error)) throw error
        return () => showChanges(setting, error, waypoint)
      }
      return {
        said: withName(desk.did.deleted, fountainName(waypoint)),
        undo: () => send('POST', `${path}/restore`, undoing),
      }
    },
  })

const isChanged = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'PRECONDITION_FAILED'

/** Shows the changes since the fountain was shown, when they are the reason for a refusal. @throws any other error */
function showChanges(setting: Setting, error: unknown, shown: Waypoint): void {
  if (!isChanged(error)) throw error
  const now = error.details['waypoint'] as Waypoint | undefined
  const [before, after] = [valuesOf(shown), now ? valuesOf(now) : {}]
  const changed = [...shownFields, 'latitude', 'longitude', 'approved', 'verified']
    .filter((field) => now && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: { value: before[field] }, after: after[field] }))
  setting.again(desk.problem.changed, changed.length > 0 && differenceList(changed))
}

/** Reverts an entry by a new one; the undo reverts that one. */
export const revertEntry = (
  setting: Setting,
  { id, action, bubblerId }: LogEntry,
  name = `#${bubblerId}`,
): Promise<void> =>
  ask(setting, {
    title: desk.revertEntry,
    text: desk.revertText,
    content: (
      <p>
        <strong>{labelled(entryName(id), words.action[action])}</strong>
      </p>
    ),
    reason: 'required',
    confirm: desk.revert,
    async work(data) {
      const { entries } = await revert(id, { reason: textIn(data, 'reason') })
      return {
        said: withName(desk.did.reverted, name),
        async undo() {
          // The last entry is reverted first.
          for (const entry of entries.toReversed()) await revert(entry, undoing)
        },
      }
    },
  })

/** Restores a deleted fountain; the undo deletes it. */
export const restoreWaypoint = (setting: Setting, id: number): Promise<void> =>
  ask(setting, {
    title: desk.restore,
    text: desk.restoreText,
    reason: 'required',
    async work(data) {
      const path = `/waypoints/${id}`
      const reason = textIn(data, 'reason')
      const { waypoint } = await send<{ waypoint: Waypoint }>('POST', `${path}/restore`, { reason })
      return {
        said: withName(desk.did.restored, fountainName(waypoint)),
        undo: () => send('DELETE', path),
      }
    },
  })

const numbered = (waypoint: Waypoint): string => `${fountainName(waypoint)} (#${waypoint.id})`

/** Asks which of two stays, and merges the other into it; the undo restores it. */
export const mergeTwo = (setting: Setting, one: Waypoint, other: Waypoint): Promise<void> =>
  ask(setting, {
    title: desk.mergeTitle,
    text: desk.mergeText,
    content: (
      <>
        {comparison(desk.mergeTitle, sideOf(one, `#${one.id}`), sideOf(other, `#${other.id}`))}
        <Choices
          legend={desk.stays}
          name="stays"
          options={[other, one].map((waypoint) => ({
            value: String(waypoint.id),
            label: named(numbered(waypoint)),
          }))}
        />
      </>
    ),
    reason: 'required',
    confirm: desk.merge,
    async work(data) {
      const into = Number(textIn(data, 'stays'))
      const [kept, merged] = into === one.id ? [one, other] : [other, one]
      const path = `/waypoints/${merged.id}`
      await send('POST', `${path}/merge`, { into, reason: textIn(data, 'reason') })
      return {
        said: withName(desk.did.merged, fountainName(kept)),
        undo: () => send('POST', `${path}/restore`, undoing),
      }
    },
  })

/** Asks for the other fountain of a merge, and then merges the two. */
export const mergeWithAnother = (
  setting: Setting,
  waypoint: Waypoint,
  nearby: readonly Nearby[],
): Promise<void> =>
  ask(setting, {
    title: desk.mergeWith,
    content: (
      <>
        {nearby.length > 0 && (
          <Choices
            legend={desk.nearby}
            name="near"
            options={nearby.slice(0, 5).map(({ waypoint: near, metres }) => ({
              value: String(near.id),
              label: named(`${numbered(near)} · ${distanceWords(metres)}`),
            }))}
          />
        )}
        <Field label={desk.mergeOther} name="into" inputMode="numeric" />
      </>
    ),
    confirm: desk.merge,
    async work(data) {
      const id = Number(textIn(data, 'into').replace('#', '') || textIn(data, 'near'))
      const isOther = Number.isSafeInteger(id) && id > 0 && id !== waypoint.id
      const found = isOther ? await readFountain(id) : undefined
      if (!found || !('waypoint' in found)) throw wrongFields('into')
      return () => void mergeTwo(setting, waypoint, found.waypoint)
    },
  })

/** Marks two fountains as distinct: they are never suggested again, and it cannot be undone. */
export const distinguish = (setting: Setting, one: Waypoint, other: Waypoint): Promise<void> =>
  ask(setting, {
    title: desk.distinct,
    text: desk.distinctText,
    async work() {
      await send('POST', `/waypoints/${one.id}/distinct`, { from: other.id })
      return { said: desk.did.distinct }
    },
  })

/** Deletes a review; the undo reverts that entry. */
export function deleteReview(setting: Setting, { id }: Review): Promise<void> {
  let before: number | undefined
  return ask(setting, {
    title: desk.deleteReview,
    text: desk.deleteReviewText,
    reason: 'optional',
    isDanger: true,
    async work(data) {
      // When the response to a deletion was lost, its entry follows the head before the first try.
      const after = (before ??= (await read<{ head: { id: number } }>('/logs/head')).head.id)
      await send('DELETE', `/reviews${deletionQuery(data, { id: String(id) })}`)
      return {
        said: desk.did.reviewDeleted,
        async undo() {
          const entry = await deletionAfter(after, id)
          if (entry !== undefined) await revert(entry, undoing)
        },
      }
    },
  })
}

/** The entry of a review's deletion. */
async function deletionAfter(head: number, reviewId: number): Promise<number | undefined> {
  for (let after = head; ;) {
    const { changes } = await read<{ changes: readonly LoggedEntry[] }>(`/changes?after=${after}`)
    const found = changes.find(
      ({ subject, subjectId, action }) =>
        subject === 'review' && subjectId === reviewId && action === 'deleted',
    )
    const last = changes.at(-1)
    if (found !== undefined || last === undefined) return found?.id
    after = last.id
  }
}

/** The labels of decisions about reports. */
export const decisions = { done: desk.done, dismissed: desk.dismiss }

/** Decides reports one after the other, with the same note. */
export const decide = (
  setting: Setting,
  reports: readonly Report[],
  state: keyof typeof decisions,
): Promise<void> =>
  ask(setting, {
    title: labelled(desk.reports, desk.reportState[state]),
    content: <Field label={desk.reportNote} name="note" maxLength={limits.description} />,
    confirm: decisions[state],
    async work(data) {
      const note = textIn(data, 'note')
      for (const { id } of reports)
        await send('PATCH', `/reports/${id}`, { state, ...(note !== '' && { note }) })
      return {
        said: format.count(desk.did.decided, reports.length),
        async undo() {
          for (const { id } of reports) await send('POST', `/reports/${id}/reopen`)
        },
      }
    },
  })

/** Blocks a person from writing; the undo ends the block. */
export function blockPerson(setting: Setting, person: NamedPerson): Promise<void> {
  const path = `${pathOf(person)}/block`
  const said = withName(desk.did.blocked, personName(person))
  return ask(setting, {
    title: said,
    text: desk.blockText,
    content: <MomentField label={desk.blockUntil} name="until" />,
    reason: 'required',
    confirm: desk.block,
    isDanger: true,
    async work(data) {
      await send('POST', path, { reason: textIn(data, 'reason'), until: momentIn(data, 'until') })
      return { said, undo: () => send('DELETE', path), stays: true }
    },
  })
}

/** Ends a block. */
export const unblockPerson = (setting: Setting, person: NamedPerson): Promise<void> =>
  ask(setting, {
    title: desk.unblock,
    text: desk.unblockText,
    async work() {
      await send('DELETE', `${pathOf(person)}/block`)
      return { said: withName(desk.did.unblocked, personName(person)), stays: true }
    },
  })
