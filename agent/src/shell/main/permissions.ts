import type { Session, WebContents } from 'electron'
import { isOfPage } from './pages.ts'

const granted: ReadonlySet<string> = new Set(['media', 'display-capture'])

/**
 * Camera, microphone and display for the capture page, and nothing for anyone else. `captureContents` gives its
 * contents while there is one. Chromium asks twice: a check first, then a request; both are answered alike.
 */
export const grantCapturePage = (session: Session, captureContents: () => WebContents | undefined): void => {
  const grants = (asking: WebContents | null, permission: string, url: string, isMainFrame: boolean): boolean => {
    const capture = captureContents()
    return (
      granted.has(permission) &&
      isMainFrame &&
      capture !== undefined &&
      asking?.id === capture.id &&
      isOfPage('capture', url)
    )
  }
  session.setPermissionRequestHandler((contents, permission, callback, details) =>
    callback(grants(contents, permission, details.requestingUrl, details.isMainFrame)),
  )
  session.setPermissionCheckHandler((contents, permission, origin, details) =>
    grants(contents, permission, details.requestingUrl ?? `${origin.replace(/\/$/, '')}/`, details.isMainFrame),
  )
}
