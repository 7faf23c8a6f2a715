// better-sqlite3 needs Node-API 10: an older Node ends with a segmentation fault instead of an error when it loads it.
const nodeApi = Number(process.versions['napi'])

if (nodeApi < 10)
  throw new Error(
    `openfountain needs Node 22.14 or newer (not 23.0 to 23.5), this is ${process.version}: install one from https://nodejs.org`,
  )
