import { exchange, type Answer } from '../api/request.ts'
import { callerOf, rememberedUser, type Caller, type PassersBy, type Person } from '../api/signed-in.ts'
import { announce } from '../client/announce.ts'
import { store, stored } from '../client/storage.ts'
import type { MapPage } from '../map/page/map-page.tsx'
import type { Visitor } from './rights.ts'
import { wordingNow, type Wording } from './wording.ts'

export interface Subject {
  readonly id: number
  readonly name: string
}

interface SignedIn extends Omit<Caller, 'user'> {
  readonly person: Person | undefined
  readonly visitor: Visitor
}

export interface Setting extends Wording, SignedIn {
  readonly map: MapPage | undefined
}

let signedIn: Promise<SignedIn> | undefined
/** The user remembered by this browser at the last request. */
let askedAs: string | undefined

/** What is allowed without an account, stored for use offline. */
const passersByKey = 'passers-by'

/** Offline, the remembered user goes on: the server decides in the end. */
async function whoIsHere(): Promise<SignedIn> {
  try {
    const { user, ...others } = await callerOf()
    store(passersByKey, others.passersBy === 'nothing' ? undefined : others.passersBy)
    return { person: user, visitor: user, ...others }
  } catch {
    signedIn = undefined
    const person = rememberedUser()
    const passersBy = (stored(passersByKey) as PassersBy | null) ?? 'nothing'
    return { person, visitor: person && 'unknown', passersBy, offer: undefined }
  }
}

/** Asks again for the signed-in user at the next use: the last submission may have earned XP. */
export function askAgain(): void {
  signedIn = undefined
}

/** @throws Error when the texts cannot be read */
export async function settingOfPage(): Promise<Setting> {
  const remembered = rememberedUser()?.id
  // Another account has signed in since, in another tab.
  if (remembered !== askedAs) signedIn = undefined
  askedAs = remembered
  signedIn ??= whoIsHere()
  return { ...(await wordingNow()), ...(await signedIn), map: mapOfPage() }
}

function mapOfPage(): MapPage | undefined {
  let found: MapPage | undefined
  announce('openfountain:page', (page) => {
    found = page
  })
  return found
}

/** Reads from the API with a short timeout, since the user is waiting. @throws Refusal */
export const readQuickly = <Body>(path: string): Promise<Answer<Body>> =>
  exchange<Body>('GET', path, { timeoutMilliseconds: 8000 })
