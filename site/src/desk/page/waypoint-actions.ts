import type { LogEntry, Waypoint } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { fill } from '../../messages.ts'
import { desk, format, labelled, withName, words } from './config.ts'
import { ask, deletionQuery, deletionReasonField, reasonField, reasonIn } from './dialog.ts'
import { element } from './element.ts'
import { shownFields, valuesOf, type Fountain } from './fountain.ts'
import { differenceRow, type Difference } from './history.ts'
import { fountainName } from './naming.ts'
import type { Setting } from './panel.ts'
import { send } from './send.ts'
import type { Undo } from './status.ts'

type Flag = 'approved' | 'verified'

/** Sets or removes a moderator's flag, if the fountain is unchanged. */
export function setFlag(setting: Setting, { waypoint, etag }: Fountain, flag: Flag, value: boolean): void {
  const path = `/waypoints/${waypoint.id}`
  const did = value ? flag : (`un${flag}` as const)
  const undo: Undo = async () => {
    await send('PATCH', path, { body: { [flag]: !value } })
  }
  setting.attempt(() =>
    ifUnchanged(setting, waypoint, async () => {
      await send('PATCH', path, { body: { [flag]: value }, ifMatch: etag })
      setting.settle(withName(desk.did[did], fountainName(waypoint)), undo)
    }),
  )
}

/** Deletes a fountain after a confirmation; the undo restores it. */
export async function deleteWaypoint(setting: Setting, { waypoint, etag }: Fountain): Promise<void> {
  const path = `/waypoints/${waypoint.id}`
  let changed: readonly Node[] | undefined
  const isDone = await ask({
    title: desk.delete,
    text: desk.deleteText,
    content: [deletionReasonField()],
    confirm: desk.delete,
    isDanger: true,
    work: (data) =>
      send<void>('DELETE', `${path}${deletionQuery(data)}`, { ifMatch: etag }).catch((error: unknown) => {
        changed = changesIn(error, waypoint)
        if (changed === undefined) throw error
      }),
  })
  if (changed) return setting.again(desk.problem.changed, ...changed)
  if (!isDone) return
  setting.settle(withName(desk.did.deleted, fountainName(waypoint)), () =>
    send('POST', `${path}/restore`, { body: { reason: desk.undoReason } }),
  )
}

/** Reverts an entry by a new one, with a reason; the undo reverts that one. */
export async function revertEntry(
  setting: Setting,
  { id, action, bubblerId }: LogEntry,
  name: string | undefined,
): Promise<void> {
  let entries: readonly number[] = []
  const isDone = await ask({
    title: desk.revertEntry,
    text: desk.revertText,
    content: [
      element(
        'p',
        '',
        element('strong', '', labelled(fill(desk.entry, { id: format.number(id) }), words.action[action])),
      ),
      reasonField(),
    ],
    confirm: desk.revert,
    async work(data) {
      const body = { reason: reasonIn(data) }
      ;({ entries } = await send<{ entries: readonly number[] }>('POST', `/logs/${id}/revert`, { body }))
    },
  })
  if (!isDone) return
  setting.settle(withName(desk.did.reverted, name ?? `#${bubblerId}`), async () => {
    // The last entry is reverted first.
    for (const entry of entries.toReversed())
      await send('POST', `/logs/${entry}/revert`, { body: { reason: desk.undoReason } })
  })
}

/** Restores a deleted fountain; the undo deletes it. */
export async function restoreWaypoint(setting: Setting, id: number): Promise<void> {
  let name = `#${id}`
  const isDone = await ask({
    title: desk.restore,
    text: desk.restoreText,
    content: [reasonField()],
    confirm: desk.restore,
    async work(data) {
      const body = { reason: reasonIn(data) }
      const { waypoint } = await send<{ waypoint: Waypoint }>('POST', `/waypoints/${id}/restore`, { body })
      name = fountainName(waypoint)
    },
  })
  if (isDone) setting.settle(withName(desk.did.restored, name), () => send('DELETE', `/waypoints/${id}`))
}

/** Runs a write that is refused when the fountain has changed, and then shows the changes. */
async function ifUnchanged(setting: Setting, shown: Waypoint, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const changed = changesIn(error, shown)
    if (changed === undefined) throw error
    setting.again(desk.problem.changed, ...changed)
  }
}

/** The changes since the fountain was shown, when they are the reason for a refusal. */
function changesIn(error: unknown, shown: Waypoint): readonly Node[] | undefined {
  if (!(error instanceof Refusal) || error.code !== 'PRECONDITION_FAILED') return undefined
  const now = error.details['waypoint'] as Waypoint | undefined
  if (now === undefined) return []
  const [before, after] = [valuesOf(shown), valuesOf(now)]
  const changed: Difference[] = [...shownFields, 'latitude', 'longitude', 'approved', 'verified']
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: { value: before[field] }, after: after[field] }))
  if (changed.length === 0) return []
  const list = element('dl', 'changes')
  list.append(...changed.map((one) => differenceRow(one, false)))
  return [list]
}
