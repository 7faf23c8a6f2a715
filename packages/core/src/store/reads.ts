import type { SearchQuery, FoundWaypoint } from '../schemas/waypoint.ts'
import type { StoredSecret, SecretKind } from '../secrets.ts'
import type { SecretValidity } from './answers.ts'
import { duplicatesBy } from './nouns/duplicates.ts'
import type { nounReads } from './nouns/index.ts'
import type { Reading, RowsPromised, Stream } from './sql/reading.ts'

/** A value, returned at once or as a promise. */
export type MaybePromise<Value> = Value | Promise<Value>
/** A result in pieces. */
export type Pieces<Piece> = Iterable<Piece> | AsyncIterable<Piece>

/** Reads of data outside the log: sessions, tokens, ways to sign in. */
export interface SecretReading {
  /** One that nobody ended, expired or not. */
  standing(id: string): MaybePromise<SecretValidity | undefined>
  get<Kind extends SecretKind>(kind: Kind, id: string): MaybePromise<StoredSecret<Kind> | undefined>
  byNumber<Kind extends SecretKind>(kind: Kind, number: number): MaybePromise<StoredSecret<Kind> | undefined>
  /** By number; of all users, or of one. */
  list<Kind extends SecretKind>(kind: Kind, userId?: string): MaybePromise<StoredSecret<Kind>[]>
}

/** The readings of every engine, as an engine answers them. */
type Answered<All> = {
  readonly [Name in keyof All]: All[Name] extends Stream<infer Args, infer Part>
    ? (...args: Args) => Pieces<Part>
    : All[Name] extends (...args: infer Args) => Reading<infer Result>
      ? (...args: Args) => MaybePromise<Result>
      : Answered<All[Name]>
}
type Nouns = Answered<typeof nounReads>

/** All reads of a registry: those in `nouns/`, and those of each engine. */
export interface Reads extends Omit<Nouns, 'waypoints' | 'secrets' | 'moderation'> {
  readonly waypoints: Nouns['waypoints'] & {
    search(query: SearchQuery): MaybePromise<FoundWaypoint[]>
  }
  readonly secrets: SecretReading
  readonly moderation: Nouns['moderation'] & {
    duplicates: ReturnType<typeof duplicatesBy>
  }
}

/** The reads of an engine, whose rows others may read between them. */
export const readsWith = (
  { search, ...nouns }: Nouns & Pick<Reads['waypoints'], 'search'>,
  rows: RowsPromised,
): Reads => ({
  ...nouns,
  // Their type follows from the kind that is asked for.
  secrets: nouns.secrets as SecretReading,
  waypoints: { ...nouns.waypoints, search },
  moderation: { ...nouns.moderation, duplicates: duplicatesBy(rows) },
})
