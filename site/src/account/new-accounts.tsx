import type { SignInOffer } from '../api/signed-in.ts'
import { fill, type Messages } from '../messages.ts'

const newcomers = { open: 'openToAll', invite: 'invited', closed: 'closed' } as const

export interface NewAccountsProps {
  readonly offer: Pick<SignInOffer, 'registration' | 'contact' | 'passersBy' | 'openObservations'>
  readonly words: Pick<
    Messages['account'],
    (typeof newcomers)[keyof typeof newcomers] | 'askInvitation' | 'invitationSubject' | 'withoutOne'
  >
}

export function NewAccounts({ offer, words }: NewAccountsProps) {
  const { registration, contact, passersBy, openObservations } = offer
  const subject = encodeURIComponent(fill(words.invitationSubject, { host: location.host }))
  return (
    <>
      <p class="quiet" data-registration>
        {words[newcomers[registration]]}
      </p>
      {registration === 'invite' && contact !== undefined && (
        <p>
          <a href={`mailto:${contact}?subject=${subject}`}>{words.askInvitation}</a>
        </p>
      )}
      {(passersBy ?? openObservations) && <p class="quiet">{words.withoutOne}</p>}
    </>
  )
}
