import { isAgreed } from '../../ui/dialog.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { openRefusal } from '../sheet.tsx'

/** Deletes a fountain, once asked. */
export async function remove(setting: Setting, { id, name }: Subject): Promise<void> {
  const { contribute, account } = setting.words
  const question = setting.with(contribute.removeAsk, { name })
  if (!(await isAgreed(question, { yes: contribute.remove, no: account.cancel }))) return
  const draft = { kind: 'delete', method: 'DELETE', path: `/waypoints/${id}`, subject: name } as const
  const sent = await send(setting, draft, setting.with(contribute.removed, { name }))
  if (sent.state === 'refused') return openRefusal(setting, name, sent.refusal)
  setting.map?.closeCard()
}
