import type { LogEntry, LoggedEntry, Report, Review, Waypoint } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { send } from '../../api/once.ts'
import { request } from '../../api/request.ts'
import { Choices, Field, textIn, wrongFields } from '../../ui/form.tsx'
import { momentIn, type Act } from './act.tsx'
import { desk, distanceWords, entryName, format, fountainName, labelled } from './config.ts'
import { personName, withName, words } from './config.ts'
import { keys } from './keys.tsx'
import { comparison, named, sideOf } from './parts.tsx'
import { pathOf, readFountain } from './requests.ts'
import type { Fountain, NamedPerson, Nearby } from './requests.ts'

/** Acts of moderators on fountains, reviews, reports and people, each with its question, request and undo. */

export const undoing = { reason: desk.undoReason }

const revert = (entry: number, body: object) =>
  send<{ entries: readonly number[] }>('POST', `/logs/${entry}/revert`, body)

const deletionQuery = (data: FormData, more: Readonly<Record<string, string>> = {}): string => {
  const reason = textIn(data, 'reason')
  return `?${new URLSearchParams({ ...more, ...(reason !== '' && { reason }) }).toString()}`
}

export function flag({ waypoint, etag }: Fountain, name: 'approved' | 'verified'): Act {
  const path = `/waypoints/${waypoint.id}`
  const isSet = waypoint[name]
  const [label, opposite] =
    name === 'approved' ? [desk.approve, desk.unapprove] : [desk.verify, desk.unverify]
  return {
    label: isSet ? opposite : label,
    key: name === 'approved' ? keys.approve : keys.verify,
    isMain: !isSet,
    async work() {
      await send('PATCH', path, { [name]: !isSet }, etag)
      return {
        said: withName(desk.did[isSet ? (`un${name}` as const) : name], fountainName(waypoint)),
        undo: () => send('PATCH', path, { [name]: isSet }),
      }
    },
  }
}

/** Deletes a fountain, if it is unchanged; the undo restores it. */
export const deleteWaypoint = ({ waypoint, etag }: Fountain): Act => ({
  label: desk.delete,
  question: { text: desk.deleteText, reason: 'optional', isDanger: true },
  async work(data) {
    const path = `/waypoints/${waypoint.id}`
    await send('DELETE', `${path}${deletionQuery(data)}`, undefined, etag)
    return {
      said: withName(desk.did.deleted, fountainName(waypoint)),
      undo: () => send('POST', `${path}/restore`, undoing),
    }
  },
})

export const revertEntry = ({ id, action, bubblerId }: LogEntry, name = `#${bubblerId}`): Act => ({
  label: desk.revert,
  question: {
    title: desk.revertEntry,
    text: desk.revertText,
    content: (
      <p>
        <strong>{labelled(entryName(id), words.action[action])}</strong>
      </p>
    ),
    reason: 'required',
  },
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
export const restoreWaypoint = (id: number): Act => ({
  label: desk.restore,
  key: keys.revert,
  isMain: true,
  question: { text: desk.restoreText, reason: 'required' },
  async work(data) {
    const path = `/waypoints/${id}`
    const reason = textIn(data, 'reason')
    const { waypoint } = await send<{ waypoint: Waypoint }>('POST', `${path}/restore`, { reason })
    return { said: withName(desk.did.restored, fountainName(waypoint)), undo: () => send('DELETE', path) }
  },
})

const numbered = (waypoint: Waypoint): string => `${fountainName(waypoint)} (#${waypoint.id})`

/** Asks which of two stays, and merges the other into it; the undo restores it. */
export const mergeTwo = (one: Waypoint, other: Waypoint): Act => ({
  label: desk.merge,
  key: keys.merge,
  isMain: true,
  question: {
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
  },
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
export const mergeWithAnother = (waypoint: Waypoint, nearby: readonly Nearby[]): Act => ({
  label: desk.mergeWith,
  key: keys.merge,
  question: {
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
  },
  async work(data) {
    const id = Number(textIn(data, 'into').replace('#', '') || textIn(data, 'near'))
    const isOther = Number.isSafeInteger(id) && id > 0 && id !== waypoint.id
    const found = isOther ? await readFountain(id) : undefined
    if (!found || !('waypoint' in found)) throw wrongFields('into')
    return mergeTwo(waypoint, found.waypoint)
  },
})

/** Marks two fountains as distinct: they are never suggested again, and it cannot be undone. */
export const distinguish = (one: Waypoint, other: Waypoint): Act => ({
  label: desk.distinct,
  key: keys.distinct,
  question: { text: desk.distinctText },
  async work() {
    await send('POST', `/waypoints/${one.id}/distinct`, { from: other.id })
    return { said: desk.did.distinct }
  },
})

/** Deletes a review; the undo reverts that entry. */
export function deleteReview({ id }: Review): Act {
  let before: number | undefined
  return {
    label: desk.deleteReview,
    key: keys.revert,
    question: { text: desk.deleteReviewText, reason: 'optional', isDanger: true },
    async work(data) {
      // When the response to a deletion was lost, its entry follows the head before the first try.
      const after = (before ??= (await request<{ head: { id: number } }>('GET', '/logs/head')).head.id)
      await send('DELETE', `/reviews${deletionQuery(data, { id: String(id) })}`)
      return {
        said: desk.did.reviewDeleted,
        async undo() {
          const entry = await deletionAfter(after, id)
          if (entry !== undefined) await revert(entry, undoing)
        },
      }
    },
  }
}

async function deletionAfter(head: number, reviewId: number): Promise<number | undefined> {
  for (let after = head; ;) {
    const { changes } = await request<{ changes: readonly LoggedEntry[] }>('GET', `/changes?after=${after}`)
    const found = changes.find(
      ({ subject, subjectId, action }) =>
        subject === 'review' && subjectId === reviewId && action === 'deleted',
    )
    const last = changes.at(-1)
    if (found !== undefined || last === undefined) return found?.id
    after = last.id
  }
}

/** Decides reports one after the other, with the same note. */
export const decide = (reports: readonly Report[], state: 'done' | 'dismissed'): Act => ({
  label: state === 'done' ? desk.done : desk.dismiss,
  key: state === 'done' ? keys.done : keys.dismiss,
  isMain: state === 'done',
  question: {
    title: labelled(desk.reports, desk.reportState[state]),
    content: <Field label={desk.reportNote} name="note" maxLength={limits.description} />,
  },
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
export function blockPerson(person: NamedPerson): Act {
  const path = `${pathOf(person)}/block`
  const said = withName(desk.did.blocked, personName(person))
  return {
    label: desk.block,
    key: keys.block,
    question: {
      title: said,
      text: desk.blockText,
      content: <Field type="datetime-local" label={desk.blockUntil} name="until" />,
      reason: 'required',
      isDanger: true,
    },
    async work(data) {
      await send('POST', path, { reason: textIn(data, 'reason'), until: momentIn(data, 'until') })
      return { said, undo: () => send('DELETE', path) }
    },
  }
}

export const unblockPerson = (person: NamedPerson): Act => ({
  label: desk.unblock,
  question: { text: desk.unblockText },
  async work() {
    await send('DELETE', `${pathOf(person)}/block`)
    return { said: withName(desk.did.unblocked, personName(person)) }
  },
})
