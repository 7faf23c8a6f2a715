import { isAgreed } from '../../ui/dialog.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'

/** Deletes a fountain, once asked. @throws Refusal */
export async function remove(setting: Setting, { id, name }: Subject): Promise<void> {
  const { words, format, map } = setting
  const { removeAsk, remove: yes, removed } = words.contribute
  if (!(await isAgreed(format.withName(removeAsk, name), { yes, no: words.account.cancel }))) return
  const draft = { kind: 'delete', method: 'DELETE', path: `/waypoints/${id}`, subject: name } as const
  await send(setting, draft, format.withName(removed, name))
  map?.closeCard()
}
