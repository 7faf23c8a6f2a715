// The registry says in the same runtimes that it needs Node.
module.exports = require('@openfountain/core')
