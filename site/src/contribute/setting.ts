import { exchange, type Answer } from '../api/request.ts'
import { callerOf, rememberedUser, type Person } from '../api/signed-in.ts'
import { siteOfPage, type SiteAddress } from '../api/site.ts'
import { readTexts } from '../client/labels-of.ts'
import { store, stored } from '../client/storage.ts'
import { announce } from '../client/announce.ts'
import type { Fountain } from '../map/data/cell.ts'
import type { MapPage } from '../map/page/map-page.tsx'
import { directionOf } from '../map/page/position.ts'
import { fill, formatFor } from '../messages.ts'
import { shownName, type Nameable } from '../naming.ts'
import type { Visitor } from './rights.ts'
import type { ContributeWords } from './words.ts'

/** The fountain of an action. */
export interface Subject {
  readonly id: number
  readonly name: string
  /** The fountain as the map has it, where there is a map. */
  readonly fountain?: Fountain
}

/** The shared setting of all forms of a page: its texts, the signed-in user, and the map where the page has one. */
export type Setting = ReturnType<typeof settingOf>

interface SignedIn {
  readonly person: Person | undefined
  readonly visitor: Visitor
  /** Whether reports are allowed without an account. */
  readonly mayAnybodyReport: boolean
}

function settingOf(site: SiteAddress, words: ContributeWords, signedIn: SignedIn) {
  const format = formatFor(site.tag)
  const { bearing, directions, distanceMetres, distanceKilometres } = words.map
  const amenities: Readonly<Record<string, string>> = words.amenity
  /** An amenity's name; unknown ones are returned unchanged. */
  const amenity = (key: string): string => (Object.hasOwn(amenities, key) ? amenities[key] : undefined) ?? key
  return {
    ...signedIn,
    site,
    words,
    format,
    map: mapOfPage(),
    amenity,
    /** The title of a fountain: its name, or its label in the language of the page. */
    titleOf: (fountain: Nameable): string =>
      shownName(fountain, { tag: format.tag, unnamed: words.unnamed, amenity }),
    /** A text with user text inserted. */
    with(sentence: string, values: Readonly<Record<string, string>>): string {
      const isolated = Object.entries(values).map(([name, text]) => [name, format.isolate(text)])
      return fill(sentence, Object.fromEntries(isolated))
    },
    /** A short distance, to the metre below a kilometre. */
    distance: (metres: number): string =>
      metres < 995
        ? fill(distanceMetres, { n: format.number(Math.round(metres)) })
        : fill(distanceKilometres, { n: format.number(Math.round(metres / 100) / 10) }),
    /** A direction such as ‘to the north-east’. */
    direction: (degrees: number): string => fill(bearing, { direction: directions[directionOf(degrees)] }),
  }
}

let signedIn: Promise<SignedIn> | undefined
/** The user remembered by this browser at the last request. */
let askedAs: string | undefined

/** Whether reports are allowed without an account, stored for use offline. */
const openKey = 'open-observations'

/** Offline, the remembered user goes on: the server decides in the end. */
async function whoIsHere(site: SiteAddress): Promise<SignedIn> {
  try {
    const { user, mayAnybodyReport } = await callerOf(site)
    store(openKey, mayAnybodyReport ? '1' : undefined)
    return { person: user, visitor: user, mayAnybodyReport }
  } catch {
    signedIn = undefined
    const person = rememberedUser()
    return { person, visitor: person && 'unknown', mayAnybodyReport: stored(openKey) !== null }
  }
}

/** Asks again for the signed-in user at the next use: the last submission may have earned XP. */
export function askAgain(): void {
  signedIn = undefined
}

/** @throws Error when the texts cannot be read */
export async function settingOfPage(): Promise<Setting> {
  const site = siteOfPage()
  const remembered = rememberedUser()?.id
  // Another account has signed in since, in another tab.
  if (remembered !== askedAs) signedIn = undefined
  askedAs = remembered
  signedIn ??= whoIsHere(site)
  const words = readTexts<ContributeWords>(`forms/${site.tag}`)
  return settingOf(site, await words, await signedIn)
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
  exchange<Body>(siteOfPage(), 'GET', path, { timeoutMilliseconds: 8000 })
