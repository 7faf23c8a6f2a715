import { photoAddress, photoSizes, sideOf, type PhotoSize, type ShownPhoto } from '../photo.ts'
import { safeLink } from '../safe-link.ts'
import { licenseAddress } from '../license-address.ts'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'

const addressOf = ({ base }: Page, { id, urls }: ShownPhoto, size: PhotoSize): string =>
  urls?.[size] ?? `${base}${photoAddress(id, size)}`

/** The smallest file of a photo, beside the name of its fountain in a list. */
export function Thumbnail({ photo }: { readonly photo: ShownPhoto }) {
  const page = usePage()
  return (
    <img
      class="thumbnail"
      src={addressOf(page, photo, 'small')}
      alt=""
      width={36}
      height={36}
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
  readonly title: string
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
      <a
        href={addressOf(page, photo, 'large')}
        {...(alt === undefined && {
          'aria-label': page.text('waypoint.photo'),
          'data-t-label': page.key('waypoint.photo'),
        })}
      >
        <img
          src={addressOf(page, photo, 'medium')}
          srcset={photoSizes
            .map((size) => `${addressOf(page, photo, size)} ${sideOf(photo, 'width', size)}w`)
            .join(', ')}
          sizes="(min-width: 40rem) 24rem, 85vw"
          width={width}
          height={height}
          alt={alt ?? ''}
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
