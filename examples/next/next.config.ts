/** Both packages are loaded from node_modules, since they read files that a bundle leaves out. */
const config = { serverExternalPackages: ['@openfountain/core', '@openfountain/server'] }

export default config
