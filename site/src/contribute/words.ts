import type { Rules } from '@openfountain/core'
import type { DeclaredField } from '../custom-fields.ts'
import { picked, type Messages } from '../messages.ts'
import { earningWords } from '../earnings.ts'

/** The texts of forms, outbox and own contributions, beside those of pages (build/labels.ts). */
export type ContributeWords = ReturnType<typeof contributeWords>

/** The same in one language, with the registry's rules. Scripts load them once somebody contributes. */
export const contributeWords = (m: Messages, all: Rules, custom: readonly DeclaredField[]) => ({
  ...picked(m, 'contribute', 'outbox'),
  problem: m.account.problem,
  many: {
    ...m.many,
    ...picked(m.desk, 'approve', 'unapprove', 'verify', 'unverify', 'delete', 'dryRun', 'cancel'),
    ...picked(m.desk, 'reason', 'reasonOptional', 'reasonHint', 'undo', 'undone', 'undoReason'),
    notAllowed: m.desk.problem.notAllowed,
  },
  account: picked(
    m.account,
    ...(['signIn', 'cancel', 'save', 'loading', 'retry', 'needed'] as const),
    ...(['openToAll', 'invited', 'closed', 'askInvitation', 'invitationSubject', 'withoutOne'] as const),
  ),
  map: picked(m.map, 'bearing', 'directions', 'close', 'locating', 'locationDenied', 'locationFailed'),
  custom,
  rules: { title: m.rules.title, ...picked(all, 'gates', 'levels', 'reviews', 'xp') },
  earnings: earningWords(m, all),
})
