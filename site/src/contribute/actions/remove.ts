import { element } from '../../map/card/markup.ts'
import { isAgreed } from '../../ui/dialog.tsx'
import { openSheet } from '../dialog.tsx'
import { tell } from '../notice.ts'
import { refusalText } from '../problems.ts'
import { announce, send, waitingText } from '../sending.ts'
import type { Setting } from '../setting.ts'
import type { Subject } from './subject.ts'

/** Deletes a fountain, once asked. */
export async function remove(setting: Setting, { id, name }: Subject): Promise<void> {
  const { contribute } = setting.words
  if (
    !(await isAgreed(setting.with(contribute.removeAsk, { name }), {
      yes: contribute.remove,
      no: setting.words.account.cancel,
    }))
  )
    return
  const sent = await send(setting, {
    kind: 'delete',
    method: 'DELETE',
    path: `/waypoints/${id}`,
    subject: name,
  })
  if (sent.state === 'refused') {
    await openSheet(setting, { title: name, content: [element('p', {}, refusalText(setting, sent.refusal))] })
      .closed
    return
  }
  if (sent.state !== 'conflict') announce(id, undefined, sent.state === 'waiting')
  setting.map?.closeCard()
  tell(sent.state === 'waiting' ? waitingText(setting) : setting.with(contribute.removed, { name }))
}
