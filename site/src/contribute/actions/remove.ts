import { isAgreed } from '../../ui/dialog.tsx'
import { tell } from '../../ui/notice.tsx'
import { announce, send, waitingText } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { openRefusal } from '../sheet.tsx'

/** Deletes a fountain, once asked. */
export async function remove(setting: Setting, { id, name }: Subject): Promise<void> {
  const { contribute, account } = setting.words
  const question = setting.with(contribute.removeAsk, { name })
  if (!(await isAgreed(question, { yes: contribute.remove, no: account.cancel }))) return
  const sent = await send(setting, {
    kind: 'delete',
    method: 'DELETE',
    path: `/waypoints/${id}`,
    subject: name,
  })
  if (sent.state === 'refused') return openRefusal(setting, name, sent.refusal)
  if (sent.state !== 'conflict') announce(id, undefined, sent.state === 'waiting')
  setting.map?.closeCard()
  tell(sent.state === 'waiting' ? waitingText(setting) : setting.with(contribute.removed, { name }))
}
