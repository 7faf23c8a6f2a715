/** XP of contributions, gates, levels, and limits: plain data without imports. A registry can have other rules. */

export interface Rules {
  /** XP earned by each event. */
  readonly xp: {
    readonly createWaypoint: number
    readonly editWaypoint: number
    readonly postReview: number
    /** Once a person, a waypoint and `observing.earnedEveryDays`; granted as one sum a day. */
    readonly postObservation: number
    /** Once a person, a waypoint and `photos.earnedEveryDays`; when it is first shown. */
    readonly addPhoto: number
    /** For the creator of a waypoint, the first time it is verified. */
    readonly waypointVerified: number
  }
  /** XP that a user needs before the action is allowed. API tokens need none. */
  readonly gates: {
    readonly createWaypoint: number
    readonly editWaypoint: number
    readonly postReview: number
    /** For a photo to be shown at once. Without it, a moderator shows it. */
    readonly photoWithoutReview: number
  }
  /** `starts[i]` is the XP at which level `i + 1` begins; beyond the last, one level per `thenEvery` XP. */
  readonly levels: {
    readonly starts: readonly number[]
    readonly thenEvery: number
  }
  readonly reviews: {
    /** Whether a user may review a waypoint only once. */
    readonly onePerWaypoint: boolean
  }
  /**
   * Limits of an account in its first hours after it signed up by itself; others and moderators have none. A problem
   * that it reports then is a passer-by's sighting. `false` for no limits.
   */
  readonly newcomers:
    | {
        readonly hours: number
        readonly creates: number
        /** Edits of waypoints that changed something. */
        readonly edits: number
        readonly reviews: number
        readonly observations: number
        readonly photos: number
        /** New accounts a day (UTC) from one network: the /24 of an IPv4 address, the /56 of an IPv6 address. */
        readonly accounts: number
      }
    | false
  /** Whether waypoints beyond the first `newcomers.creates`, or all without `newcomers`, earn once others confirm them. */
  readonly earnOnApproval: boolean
}

export const defaultRules = {
  xp: {
    createWaypoint: 50,
    editWaypoint: 10,
    postReview: 5,
    postObservation: 2,
    addPhoto: 5,
    waypointVerified: 25,
  },
  gates: {
    // Four reviews: a newcomer has looked at real fountains before adding one.
    createWaypoint: 20,
    editWaypoint: 10,
    postReview: 0,
    photoWithoutReview: 20,
  },
  levels: {
    starts: [0, 100, 250, 500, 1000],
    thenEvery: 200,
  },
  reviews: {
    onePerWaypoint: false,
  },
  // More than somebody maps on a good day, and not too much for a moderator to look through.
  newcomers: { hours: 24, creates: 20, edits: 60, reviews: 20, observations: 40, photos: 20, accounts: 20 },
  earnOnApproval: false,
} as const satisfies Rules

/** Sizes in characters (UTF-16 code units after NFC normalisation), counts, degrees and stars. */
export const limits = {
  waypointName: 200,
  description: 2000,
  maintainer: 200,
  region: 200,
  openingHours: 255,
  amenities: 32,
  amenity: 64,
  imageUrl: 2000,
  comment: 2000,
  photoAlt: 300,
  userName: 80,
  userId: 128,
  /** The id of a user with a host that has accounts of its own. */
  externalId: 255,
  email: 254,
  /** XP that one entry gives or takes. */
  xp: 1_000_000_000,
  sourceName: 200,
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  rating: { min: 1, max: 5 },
  areaName: 200,
  areaRings: 32,
  areaPositions: 2000,
  reference: 500,
  /** Tags of an object of OpenStreetMap, and the characters of a key or a value, which are OpenStreetMap's own limit. */
  tags: 200,
  tag: 255,
  /** Custom fields of a waypoint, characters of a name and a text, texts of a list, and characters of all as JSON. */
  properties: { members: 64, name: 64, text: 2000, entries: 32, json: 16_000 },
  /** How a source is read from its address, as JSON. */
  schedule: 100_000,
  webhookDescription: 500,
  /** The service and the jurisdiction at a city's endpoint of Open311. */
  cityText: 100,
  /** Of a device at a push service. */
  pushAddress: 2000,
  /** Fields of one entry that a redaction names. */
  redactedNames: 32,
  /** The key under which a request is made once. */
  idempotencyKey: 64,
  /** The longest reason of a deletion over HTTP. It is part of the address and fits there whatever its letters are. */
  deletionReason: 500,
  /** Writes that are one: all are made, or none. */
  writesAtOnce: 500,
} as const

/** Lifetimes of credentials, and how often each may be tried. */
export const lifetimes = {
  session: {
    /** From signing in, whatever the use. */
    days: 30,
    /** Without being used. */
    idleDays: 7,
    /** How exactly it is known when it was used last: a write each time would cost more than it tells. */
    noticedAfterMinutes: 60,
    /** For changing an address or a way to sign in. */
    recentMinutes: 10,
  },
  linkHours: 24,
  code: { minutes: 10, tries: 5 },
  /** From the beginning of a sign-in by a passkey or a provider to its end. */
  ceremonyMinutes: 10,
  personalToken: { defaultDays: 90, maxDays: 365 },
  apiToken: { maxDays: 3650 },
  /** For which a request is made once under its key. */
  requestDays: 30,
} as const

/** Rate limits of signing in: attempts at once, refilled evenly. A client is a /24 of IPv4 or a /64 of IPv6. */
export const attempts = {
  /** Of one kind of sign-in by a client. Secrets cannot be guessed at this rate, and a school behind one address can sign in. */
  perClient: { times: 60, windowSeconds: 60 },
  /** By a browser that was given a code or a ceremony here: nobody else uses these up. */
  perBrowser: { times: 10, windowSeconds: 600 },
  /** Mails to one address at the request of one client. */
  mailsPerClient: { times: 5, windowSeconds: 600 },
  /** Mails to one address at the request of all: a stranger must not fill a mailbox. */
  mailsPerAddress: { times: 20, windowSeconds: 3600 },
  /** Wrong codes for one address, in all browsers; other ways to sign in stay open. */
  codesPerAddress: { times: 50, windowSeconds: 86_400 },
  /** Changes of the ways to sign in and the tokens of one account. */
  perAccount: { times: 60, windowSeconds: 600 },
} as const

/** When a new waypoint may be one that exists: metres, and how many are compared and returned, the nearest. */
export const duplicates = {
  nearMetres: 30,
  /** The farthest that `unlessNear` looks. */
  farthestMetres: 1000,
  compared: 20,
} as const

export const moderation = {
  /** Entries that one act undoes of a person at most. */
  revertedAtOnce: 500,
  /** Removals and reverts by a moderator, not of own acts: an intruder in the account must not empty the registry. */
  takeBacksPerHour: 500,
  changedAtOnce: 5000,
  /** Doubtful rows of imports that one request decides at most. */
  decidedAtOnce: 100,
} as const

/** Limits of reports, and the lifetime of their texts. */
export const reporting = {
  /** Reports of one person that wait for moderators at the same time. */
  openPerPerson: 100,
  /** Reports of passers-by from one network in a day (UTC), where reporting is open to all. */
  perNetworkAndDay: 10,
  /** Days after which a decided report loses its author and its texts. */
  keptDays: 90,
  /** Reports of one subject that the queue shows. */
  shown: 20,
} as const

export const photos = {
  /** Limits of an uploaded file. */
  bytes: 20_000_000,
  pixels: 50_000_000,
  /** The longest side of each stored file, in pixels; none is enlarged. */
  sizes: { large: 2048, medium: 1280, small: 320 },
  /** The licences that authors may give, by their SPDX ids; the first is the default. */
  licenses: ['CC-BY-4.0', 'CC-BY-SA-4.0', 'CC0-1.0'],
  /** How often one person earns XP at one waypoint. */
  earnedEveryDays: 7,
  /** Open reports by different accounts that hide a photo, and the age of such an account. */
  hiddenBy: { reports: 2, accountHours: 24 },
  /** The name under photos of somebody who has left. */
  formerAuthor: 'a former contributor',
  /** Hours after which a file that no photo has is deleted: an upload is under way for less. */
  unnamedHours: 24,
} as const

export const observing = {
  oldestDays: 30,
  /** How far an observer's clock may be ahead, in minutes. */
  aheadMinutes: 5,
  /** How far a reporter's time zone may be ahead of UTC, in hours: UTC+14 is the farthest. */
  aheadHours: 14,
  /** How near somebody is who stands at the waypoint, and how inexact their position may be, in metres. */
  nearMetres: 100,
  /** For how long the same that one person says of one waypoint again is one observation, in minutes. */
  repeatMinutes: 1,
  /** How often one person earns XP at one waypoint. */
  earnedEveryDays: 7,
  /** Lifetime of sightings by passers-by, where observing is open to all. */
  passersByDays: 30,
  /** What passers-by may say where only that is open to all: no text, and nothing that asks for more than a look. */
  passersByKinds: ['works', 'broken'],
  perNetworkAndDay: 20,
  /** Different people whose reports make a waypoint broken, or ask a moderator whether it is gone. */
  agreeing: 2,
  /** How far ahead a keeper may say that a fountain is off, in days. */
  closedAtMostDays: 366,
  /** XP of people that one write grants. */
  grantedAtOnce: 500,
} as const

/** Lifetimes of facts about a waypoint's state, in days from the day of the observation. */
export const freshness = {
  works: 180,
  broken: 60,
  dirty: 60,
  blocked: 60,
  gone: 180,
  /** A city's closing of its request says nothing of the state. */
  closed: 0,
  dry: 30,
  /** A source's statement that the fountain is closed for the season. */
  off: 120,
} as const

/** Bursts of activity: the number of changes of waypoints and reviews still in force, within a number of hours. */
export const bursts = {
  hours: 24,
  changes: 30,
  /** Changes by people that are looked at, the newest. */
  lookedAt: 10_000,
} as const

export const importing = {
  /** The part of a source's waypoints that a run may mark or remove without being told to. */
  mostGone: 1 / 5,
} as const

/** Limits of fetching what somebody named by its address, for imports. */
export const fetching = {
  megabytes: 500,
  /** For all pages of an answer. */
  minutes: 30,
  pages: 10_000,
  /** How often the same is asked for, where it cannot be reached or is busy. */
  tries: 4,
  /** Before the second try; doubled before each later one. */
  pauseSeconds: 1,
  /** A host that asks for a longer pause is left alone. */
  longestPauseSeconds: 120,
} as const

/** Harvests: imports of what a source has at its address, again and again. */
export const harvesting = {
  /** Minutes from one harvest to the next. */
  every: { hour: 60, day: 24 * 60, week: 7 * 24 * 60, month: 30 * 24 * 60 },
  /** The part of that by which a harvest may be early: timers are never exact. */
  early: 1 / 24,
  /** Minutes until another process may harvest the source, unless it is told in time that the work goes on. */
  leaseMinutes: 10,
  /** Minutes until a failed harvest is repeated; doubled with each failure in a row, up to the time between two harvests. */
  retryMinutes: 30,
  /** Days after which a source is fetched whole, even if its host says that nothing changed. */
  wholeDays: 7,
  /** How long a harvest is remembered. */
  keptDays: 366,
  shown: 5,
  listed: 100,
} as const

/** Webhooks: retries, limits and times. */
export const delivering = {
  /** Seconds until an event is sent again, after each try that failed; after the last one the webhook is switched off. */
  retrySeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** How often an event is sent that is answered by 400, 404 or 422; it is kept then, and the next one follows. */
  refusedTries: 3,
  /** Events that are kept for one webhook; with one more it is switched off. */
  kept: 1000,
  /** Webhooks of a registry, which are told at the same time. */
  webhooks: 200,
  answerSeconds: 10,
  answerBytes: 65_536,
  /** Hours for which a changed secret signs too. */
  rotationHours: 24,
  /** Seconds between two looks for what other processes wrote. */
  lookSeconds: 1,
  /** Minutes until another process may deliver, unless this one goes on. */
  leaseMinutes: 0.5,
  /** Entries that are read at once. */
  page: 500,
  /** Minutes between two looks whether a city closed its requests, how many one question is about, the bytes of its answer, and how many are followed. */
  city: { minutes: 15, asked: 50, answerBytes: 1_048_576, requests: 1000 },
} as const

/** Follows and notifications of people. */
export const following = {
  /** Follows of one person, besides that of their own fountains. */
  follows: 50,
  /** Notifications that are kept of each, the newest. */
  kept: 100,
  /** Seconds between two searches for new notifications. */
  lookSeconds: 5,
  /** How long nobody is told afterwards, as a multiple of the time that it took: writes have the rest. */
  pausePerWork: 9,
  page: 500,
  written: 50,
  /** Minutes between two mails to one person. */
  mailMinutes: { 'at-once': 60, daily: 1440, weekly: 10_080 },
  mailLookSeconds: 300,
  mailed: 50,
  /** Devices of one person to which is pushed, events that one is told one by one, devices that are told at once, hours that a message waits for one, and its characters. */
  push: { devices: 20, events: 5, atOnce: 200, hours: 24, characters: 200 },
} as const

export const pushHosts = [
  'fcm.googleapis.com',
  'android.googleapis.com',
  '.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
] as const

export const rhythms = Object.keys(following.mailMinutes) as (keyof typeof following.mailMinutes)[]

/** Page sizes of the lists that are returned in pages. */
export const pages = {
  leaderboard: { default: 10, max: 100 },
  users: { default: 50, max: 100 },
  removals: { default: 50, max: 100 },
  logs: { default: 50, max: 100 },
  recentLogs: { default: 20, max: 50 },
  search: { default: 50, max: 100 },
  /** The default is that of the library; the API returns all. */
  waypoints: { default: 1000, max: 100_000 },
  reviews: { default: 1000, max: 100_000 },
  queue: { default: 50, max: 100 },
  acts: { default: 50, max: 100 },
  observations: { default: 50, max: 100 },
  photos: { default: 50, max: 100 },
  notifications: { default: 50, max: 100 },
  /** Events of a feed, and the entries of the log that are searched for them, a page at a time. */
  feeds: { events: 50, searched: 5000, page: 250 },
} as const

/** Limits of a route, and the waypoints along it at most. */
export const routes = {
  points: 20_000,
  metres: 5_000_000,
  found: 5000,
  withinMetres: { default: 200, max: 2000 },
} as const

/**
 * The level for an amount of XP, from 1 upwards.
 *
 * @example
 * levelOf(0) // 1
 * levelOf(1200) // 6
 */
export function levelOf(xp: number, levels: Rules['levels'] = defaultRules.levels): number {
  const last = levels.starts.at(-1) ?? 0
  if (xp >= last) return levels.starts.length + Math.floor((xp - last) / levels.thenEvery)
  let level = 1
  for (const [index, start] of levels.starts.entries()) if (xp >= start) level = index + 1
  return level
}
