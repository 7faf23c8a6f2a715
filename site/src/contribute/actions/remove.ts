import { isAgreed } from '../../ui/dialog.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { openRefusal } from '../sheet.tsx'

/** Deletes a fountain, once asked. */
export async function remove(setting: Setting, { id, name }: Subject): Promise<void> {
  const { words, format } = setting
  const { removeAsk, remove: yes, removed } = words.contribute
  if (!(await isAgreed(format.withName(removeAsk, name), { yes, no: words.account.cancel }))) return
  const draft = { kind: 'delete', method: 'DELETE', path: `/waypoints/${id}`, subject: name } as const
  const sent = await send(setting, draft, format.withName(removed, name))
  if (sent.state === 'refused') return openRefusal(setting, name, sent.refusal)
  setting.map?.closeCard()
}
