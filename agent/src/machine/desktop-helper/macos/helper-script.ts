import type { HelperCommand } from '../desktop-helper.ts'
import type { HelperTopic } from '../helper-lines.ts'

/**
 * The title of the frontmost ordinary window (layer 0) of the application in front; null without the permission to
 * record the screen, under which the system gives no names of windows.
 */
const title = `
    const front = app.isNil() ? undefined : ObjC.deepUnwrap(ObjC.castRefToObject(
      $.CGWindowListCopyWindowInfo($.kCGWindowListOptionOnScreenOnly, 0)))
      .find((window) => window.kCGWindowLayer === 0 && window.kCGWindowOwnerPID === Number(app.processIdentifier))
    const title = front === undefined ? undefined : front.kCGWindowName
    now.title = title === undefined ? null : String(title).slice(0, 300)`

/**
 * What the helper of macOS runs: JavaScript for Automation, which calls AppKit and CoreGraphics without any permission.
 * It reads the name and the bundle id of the application in front (a title only with `titles`), how often the pasteboard changed
 * (`NSPasteboard.changeCount`, never what is on it), and windows whose `kCGWindowSharingState` is none (owner's name and
 * bounds). `runUntilDate` alone would return at once where no source is attached, so a plain sleep keeps the pace.
 * Written from Apple's documentation; not run: no Mac was at hand.
 */
export const macosHelperScript = (titles: boolean): string => `
function run(topics) {
  ObjC.import('AppKit')
  ObjC.import('CoreGraphics')
  const out = $.NSFileHandle.fileHandleWithStandardOutput
  const say = (line) => out.writeData($(JSON.stringify(line) + '\\n').dataUsingEncoding($.NSUTF8StringEncoding))
  const textOf = (value) => (value.isNil() ? null : String(ObjC.unwrap(value)).slice(0, 300))
  const unable = {}
  const look = (topic, read) => {
    if (!topics.includes(topic) || unable[topic]) return
    try { read() } catch (error) { unable[topic] = true; say({ topic: 'failed', of: topic }) }
  }
  let before
  const foreground = () => {
    const app = $.NSWorkspace.sharedWorkspace.frontmostApplication
    const now = app.isNil()
      ? { application: null, bundleId: null }
      : { application: textOf(app.localizedName), bundleId: textOf(app.bundleIdentifier) }${titles ? title : ''}
    const text = JSON.stringify(now)
    if (text === before) return
    before = text
    say(Object.assign({ topic: 'foreground' }, now))
  }
  const clipboard = () => say({ topic: 'clipboard', count: Number($.NSPasteboard.generalPasteboard.changeCount) })
  const windows = () => {
    const listed = ObjC.castRefToObject($.CGWindowListCopyWindowInfo($.kCGWindowListOptionOnScreenOnly, 0))
    const excluded = ObjC.deepUnwrap(listed)
      .filter((window) => window.kCGWindowSharingState === 0)
      .map((window) => ({
        key: String(window.kCGWindowNumber),
        application: window.kCGWindowOwnerName === undefined ? null : String(window.kCGWindowOwnerName).slice(0, 300),
        x: window.kCGWindowBounds.X, y: window.kCGWindowBounds.Y,
        width: window.kCGWindowBounds.Width, height: window.kCGWindowBounds.Height,
      }))
    say({ topic: 'windows', excluded })
  }
  for (let second = 0; ; second += 1) {
    look('foreground', foreground)
    if (second % 5 === 0) { look('clipboard', clipboard); say({ topic: 'alive' }) }
    if (second % 15 === 0) look('windows', windows)
    $.NSRunLoop.currentRunLoop.runUntilDate($.NSDate.dateWithTimeIntervalSinceNow(0.05))
    $.NSThread.sleepForTimeInterval(0.95)
  }
}
`

/** Starts the helper for these topics. It ends by itself when nobody reads it any more. */
export const macosHelperCommand = (topics: readonly HelperTopic[], titles = false): HelperCommand => ({
  command: '/usr/bin/osascript',
  args: ['-l', 'JavaScript', '-e', macosHelperScript(titles), ...topics],
})
