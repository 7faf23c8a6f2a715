import { directionsLink } from '../views/map-apps.ts'

/** Without scripts the link leads to a router on the web; with scripts, to the device's own app. */
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-directions]')) {
  const [latitude = NaN, longitude = NaN] = (link.dataset['directions'] ?? '').split(',').map(Number)
  const name = link.dataset['name'] ?? ''
  if (Number.isFinite(latitude) && Number.isFinite(longitude))
    link.href = directionsLink({ latitude, longitude, name }, navigator.userAgent)
}
