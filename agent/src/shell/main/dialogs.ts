import { fillPlain } from '@integrity/protocol/clients/language'
import { type BrowserWindow, dialog, Notification } from 'electron'
import type { QuitQuestion } from './core.ts'
import { type ShellTexts, sizeText } from './texts.ts'

/** A question with two answers; the one that changes nothing is the default and what Escape means. */
const ask = async (
  parent: BrowserWindow | undefined,
  question: { message: string; detail: string; keep: string; go: string },
): Promise<boolean> => {
  const options: Electron.MessageBoxOptions = {
    type: 'question',
    message: question.message,
    detail: question.detail,
    buttons: [question.keep, question.go],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  }
  const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options))
  return response === 1
}

/** What quitting now means: for the recording, and for what is unsent. */
const quitDetail = (question: Exclude<QuitQuestion, 'none'>, texts: ShellTexts): string => {
  const { items, events, bytes } = question.unsent
  const left = items + events > 0
  const unsent = left ? fillPlain(texts.quitUnsent, { items, events, size: sizeText(bytes) }) : texts.quitNothingUnsent
  return (question.recording ? [texts.quitRecording, unsent, texts.quitAgain] : [unsent]).join('\n\n')
}

/** True: quit. */
export const askToQuit = (
  parent: BrowserWindow | undefined,
  question: Exclude<QuitQuestion, 'none'>,
  texts: ShellTexts,
): Promise<boolean> =>
  ask(parent, {
    message: texts.quitTitle,
    detail: quitDetail(question, texts),
    keep: texts.quitKeep,
    go: texts.quitNow,
  })

/** True: end the session. */
export const askToEnd = (parent: BrowserWindow | undefined, texts: ShellTexts): Promise<boolean> =>
  ask(parent, { message: texts.endTitle, detail: texts.endText, keep: texts.endKeep, go: texts.endNow })

/** Says that closing the window did not stop anything: as a notification, or in a box where there are none. */
export const tellHidden = (recording: boolean, texts: ShellTexts): void => {
  const title = recording ? texts.hiddenTitle : texts.hiddenSendingTitle
  const body = recording ? texts.hiddenRecording : texts.hiddenSending
  if (Notification.isSupported()) new Notification({ title, body, silent: true }).show()
  else void dialog.showMessageBox({ type: 'info', message: title, detail: body })
}

/** One that nobody holds is collected, and its click is lost. */
const shown = new Set<Notification>()

/** Says that the policy asks for a further part, which waits for an answer in the window. */
export const tellAsked = (texts: ShellTexts, open: () => void): void => {
  const { askedTitle: title, askedText: body } = texts
  if (!Notification.isSupported()) {
    void dialog.showMessageBox({ type: 'info', message: title, detail: body })
    return
  }
  const notice = new Notification({ title, body, silent: true })
  shown.add(notice)
  notice.on('click', open)
  notice.on('close', () => shown.delete(notice))
  notice.show()
}

export const tellFailedStart = (detail: string, texts: ShellTexts): void =>
  dialog.showErrorBox(texts.failedTitle, fillPlain(texts.failedText, { detail }))
