import { photos } from '@openfountain/core/rules'
import { safeLink } from '../safe-link.ts'
import { licenseAddress } from '../license-address.ts'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'

/** The sizes of a photo's files, the smallest first. */
export const photoSizes = ['small', 'medium', 'large'] as const
export type PhotoSize = (typeof photoSizes)[number]

/** A photo with what must stand under it. */
export interface ShownPhoto {
  readonly id: number
  /** Pixels of the large file. */
  readonly width: number
  readonly height: number
  readonly license: string
  /** The name of its author; absent of somebody who has left. */
  readonly author?: string
  readonly alt?: string
  /** ISO date on which it was taken, or else added. */
  readonly date: string
  /** Addresses at the API of one that the built site does not have. */
  readonly urls?: Readonly<Record<PhotoSize, string>>
}

/** The path of a file of a photo in a site. */
export const photoAddress = (id: number, size: PhotoSize): string => `photos/${id}-${size}.webp`

const addressOf = ({ base }: Page, { id, urls }: ShownPhoto, size: PhotoSize): string =>
  urls?.[size] ?? `${base}${photoAddress(id, size)}`

/** The side of a photo's file in pixels: its longest one is at most that of the size. */
function sideOf(photo: ShownPhoto, side: 'width' | 'height', size: PhotoSize): number {
  const longest = Math.max(photo.width, photo.height)
  return Math.round((photo[side] * Math.min(longest, photos.sizes[size])) / longest)
}

/** The picture that others show beside a link to a fountain with a photo. */
export const photoPicture = (photo: ShownPhoto) => ({
  path: photoAddress(photo.id, 'medium'),
  width: sideOf(photo, 'width', 'medium'),
  height: sideOf(photo, 'height', 'medium'),
})

/** The smallest file of a photo, beside the name of its fountain in a list. */
export function Thumbnail({ photo }: { readonly photo: ShownPhoto }) {
  const page = usePage()
  return (
    <img
      class="thumbnail"
      src={addressOf(page, photo, 'small')}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      decoding="async"
    />
  )
}

/** Photos of a fountain in a row, each with its author, its licence and its date. */
export function Photos({
  photos: shown,
  title,
  hasReports = false,
}: {
  readonly photos: readonly ShownPhoto[]
  /** Of the fountain. */
  readonly title: string
  /** Whether each has a button to report it. */
  readonly hasReports?: boolean
}) {
  const page = usePage()
  if (shown.length === 0) return null
  return (
    <ul class="photos" aria-label={page.text('waypoint.photos')} data-t-label={page.key('waypoint.photos')}>
      {shown.map((photo) => (
        <li key={photo.id}>
          <Figure photo={photo} title={title} hasReport={hasReports} />
        </li>
      ))}
    </ul>
  )
}

function Figure({
  photo,
  title,
  hasReport,
}: {
  readonly photo: ShownPhoto
  readonly title: string
  readonly hasReport: boolean
}) {
  const page = usePage()
  const { id, width, height, license, author, alt, date } = photo
  const terms = safeLink(licenseAddress(license))
  return (
    <figure class="photo" data-photo={page.hasForms ? id : undefined}>
      <a href={addressOf(page, photo, 'large')}>
        <img
          src={addressOf(page, photo, 'medium')}
          srcset={photoSizes
            .map((size) => `${addressOf(page, photo, size)} ${sideOf(photo, 'width', size)}w`)
            .join(', ')}
          sizes="(min-width: 40rem) 24rem, 85vw"
          width={width}
          height={height}
          alt={alt ?? page.text('waypoint.photoOf', { name: title })}
          lang={alt === undefined ? undefined : ''}
          loading="lazy"
          decoding="async"
        />
      </a>
      <figcaption class="faint small">
        {author === undefined ? <span {...page.said('contributors.former')} /> : <bdi>{author}</bdi>}
        {', '}
        {terms ? (
          <a href={terms.href} rel="license noopener">
            {license}
          </a>
        ) : (
          license
        )}
        {', '}
        <time {...page.date(date)} />
        {hasReport && page.hasForms && (
          <>
            {' · '}
            <button
              class="text-button no-print"
              type="button"
              id={`report-photo-${id}`}
              data-contribute="report"
              data-report-photo={id}
              data-name={title}
              aria-label={page.text('contribute.reportPhoto')}
              data-t-label={page.key('contribute.reportPhoto')}
              data-needs-script=""
              {...page.said('contribute.action.report')}
            />
          </>
        )}
      </figcaption>
    </figure>
  )
}
