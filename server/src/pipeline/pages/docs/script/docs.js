// What the pages of the documentation can do beside being read. Nothing here leaves this server.
import './samples.js'
import './menu.js'
import './search.js'
import './try-it.js'
import './console.js'

document.documentElement.classList.add('js')
