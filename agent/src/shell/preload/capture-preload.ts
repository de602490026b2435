import { portGreeting } from 'virtual:channel-names'
import { ipcRenderer } from 'electron'

// A port cannot cross the context bridge; it can be handed on by a message that only this page can hear.
ipcRenderer.on(portGreeting, (event) => window.postMessage(portGreeting, window.location.origin, event.ports))
