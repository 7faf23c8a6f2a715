import type { PlaceColumn } from '../../../fields/place.ts'
import type { JsonForm } from '../../../published/json-form.ts'
import type { TextField, TextForm } from './texts.ts'

/** The fields that a page can have: columns of the waypoint, figures of its reviews, and its sources. */
export type PageField =
  | TextField
  | 'latitude'
  | 'longitude'
  | 'state'
  | 'stateSince'
  | 'lastConfirmed'
  | 'lastListed'
  | 'sourceUpdated'
  | 'nameIsGenerated'
  | PlaceColumn
  | 'rating'
  | 'reviewCount'
  | 'sourceRefs'
  | 'osmType'
  | 'osmId'
  | 'osmObjectTags'

/**
 * A piece of a record's text: a literal; a field with a literal before it that is omitted for an absent value; the tags
 * of OpenStreetMap; or the result of a callback for the amenities or the ids of the sources, called once for each
 * combination. `sourceRefs` is a list of the references at all sources: a JSON array, or joined in a cell. Numbers are formatted as in JavaScript.
 */
export type PagePiece =
  | string
  | {
      readonly field: PageField
      readonly form: TextForm
      readonly before?: string | undefined
      /** Whether an absent value is `null`, and not omitted with its literal. */
      readonly orNull?: true | undefined
    }
  | { readonly osmTags: JsonForm }
  | { readonly ofAmenities: (amenities: readonly string[]) => string }
  | { readonly ofSources: (sourceIds: readonly number[]) => string }

/** The pieces of a record, and the separator between two records. */
export interface PageTemplate {
  readonly record: readonly PagePiece[]
  readonly between?: string | undefined
}

/** The joined texts of some records, in UTF-8. Pages share no memory. */
export interface RecordPage {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly count: number
}
