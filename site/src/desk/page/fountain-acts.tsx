import type { LogEntry, Waypoint } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { Choices, Field, textIn, wrongFields } from '../../ui/form.tsx'
import { ask, DeletionReasonField, deletionQuery, ReasonField } from './ask.tsx'
import { desk, distanceWords, entryName, fountainName, labelled, withName, words } from './config.ts'
import type { Setting } from './panel.tsx'
import { comparison, differenceList, named, shownFields, sideOf, valuesOf } from './parts.tsx'
import { readFountain, send, type Fountain, type Nearby } from './requests.ts'

/** The reason of what an undo does. */
const undoing = { reason: desk.undoReason }

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

/** Deletes a fountain after a confirmation; the undo restores it. */
export const deleteWaypoint = (setting: Setting, { waypoint, etag }: Fountain): Promise<void> =>
  ask(setting, {
    title: desk.delete,
    text: desk.deleteText,
    content: <DeletionReasonField />,
    confirm: desk.delete,
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

/** Reverts an entry by a new one, with a reason; the undo reverts that one. */
export const revertEntry = (
  setting: Setting,
  { id, action, bubblerId }: LogEntry,
  name = `#${bubblerId}`,
): Promise<void> =>
  ask(setting, {
    title: desk.revertEntry,
    text: desk.revertText,
    content: (
      <>
        <p>
          <strong>{labelled(entryName(id), words.action[action])}</strong>
        </p>
        <ReasonField />
      </>
    ),
    confirm: desk.revert,
    async work(data) {
      const reason = textIn(data, 'reason')
      const { entries } = await send<{ entries: readonly number[] }>('POST', `/logs/${id}/revert`, { reason })
      return {
        said: withName(desk.did.reverted, name),
        async undo() {
          // The last entry is reverted first.
          for (const entry of entries.toReversed()) await send('POST', `/logs/${entry}/revert`, undoing)
        },
      }
    },
  })

/** Restores a deleted fountain; the undo deletes it. */
export const restoreWaypoint = (setting: Setting, id: number): Promise<void> =>
  ask(setting, {
    title: desk.restore,
    text: desk.restoreText,
    content: <ReasonField />,
    confirm: desk.restore,
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

const numbered = (waypoint: Waypoint): string => `${fountainName(waypoint)} (#${waypoint.id})`

/** Asks which of two stays and why, and merges the other into it; the undo restores it. */
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
        <ReasonField />
      </>
    ),
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

/** Marks two fountains as distinct after a confirmation: they are never suggested again, and it cannot be undone. */
export const distinguish = (setting: Setting, one: Waypoint, other: Waypoint): Promise<void> =>
  ask(setting, {
    title: desk.distinct,
    text: desk.distinctText,
    confirm: desk.distinct,
    async work() {
      await send('POST', `/waypoints/${one.id}/distinct`, { from: other.id })
      return { said: desk.did.distinct }
    },
  })
