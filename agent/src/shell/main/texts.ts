/** What the shell itself says: the tray, its questions and notices. The window has its own catalogue. */
const en = {
  trayIdle: 'Interview Integrity',
  trayRecording: 'Interview Integrity: recording',
  trayPaused: 'Interview Integrity: paused',
  traySending: 'Interview Integrity: sending what is left',
  menuOpen: 'Open',
  menuPause: 'Pause',
  menuResume: 'Resume',
  menuEnd: 'End the session…',
  menuQuit: 'Quit',
  hiddenTitle: 'Recording goes on',
  hiddenRecording:
    'The window is closed, and the session goes on as before. The icon in the tray shows it. It opens the window again, as starting the program once more does.',
  hiddenSendingTitle: 'Sending goes on',
  hiddenSending: 'Nothing is recorded any more. What is left is sent, and then this program can be quit.',
  askedTitle: 'A question about the recording',
  askedText:
    'The organisation now asks for a further part. It is recorded only if you agree; what you agreed to before goes on. Open the window to read and answer, whenever it suits you.',
  quitTitle: 'Quit now?',
  quitRecording:
    'The recording stops. What happens on the computer after that is shown to the reviewers as not observed.',
  quitUnsent:
    'Not sent yet: {items} items and {events} events ({size}). They stay on this computer, encrypted, and are sent when you open this program again.',
  quitNothingUnsent: 'Everything recorded so far has been sent.',
  quitAgain: 'To go on with the session, open this program again before the session is over.',
  quitKeep: 'Keep running',
  quitNow: 'Quit',
  endTitle: 'End the session?',
  endText: 'The recording stops, and what is left is sent. An ended session cannot be taken up again.',
  endKeep: 'Go on with the session',
  endNow: 'End the session',
  failedTitle: 'This program could not start',
  failedText: 'Nothing is recorded. What was recorded before and not sent is still on this computer. {detail}',
}

export type ShellTexts = typeof en

const hi: ShellTexts = {
  trayIdle: 'Interview Integrity',
  trayRecording: 'Interview Integrity: रिकॉर्डिंग चल रही है',
  trayPaused: 'Interview Integrity: रुका हुआ है',
  traySending: 'Interview Integrity: बचा हुआ भेजा जा रहा है',
  menuOpen: 'खोलें',
  menuPause: 'रोकें',
  menuResume: 'फिर से शुरू करें',
  menuEnd: 'सत्र समाप्त करें…',
  menuQuit: 'बंद करें',
  hiddenTitle: 'रिकॉर्डिंग जारी है',
  hiddenRecording:
    'विंडो बंद हो गई है और सत्र पहले की तरह चल रहा है। ट्रे का आइकन यह दिखाता है। उससे, या प्रोग्राम को दोबारा शुरू करने से, विंडो फिर से खुलती है।',
  hiddenSendingTitle: 'भेजना जारी है',
  hiddenSending: 'अब कुछ भी रिकॉर्ड नहीं हो रहा है। जो बचा है वह भेजा जा रहा है, उसके बाद यह प्रोग्राम बंद किया जा सकता है।',
  askedTitle: 'रिकॉर्डिंग के बारे में एक सवाल',
  askedText:
    'संगठन अब एक और हिस्सा माँगता है। वह केवल आपकी सहमति से रिकॉर्ड होता है; जिससे आप पहले सहमत हुए थे, वह चलता रहता है। पढ़ने और उत्तर देने के लिए, जब आपको ठीक लगे, विंडो खोलें।',
  quitTitle: 'अभी बंद करें?',
  quitRecording: 'रिकॉर्डिंग रुक जाएगी। उसके बाद का समय समीक्षकों को "देखा नहीं गया" के रूप में दिखेगा।',
  quitUnsent:
    'अभी तक नहीं भेजा गया: {items} चीज़ें और {events} घटनाएँ ({size})। वे इस कंप्यूटर पर एन्क्रिप्टेड रहेंगी और यह प्रोग्राम फिर से खोलने पर भेजी जाएँगी।',
  quitNothingUnsent: 'अब तक रिकॉर्ड किया गया सब कुछ भेजा जा चुका है।',
  quitAgain: 'सत्र जारी रखने के लिए, सत्र समाप्त होने से पहले यह प्रोग्राम फिर से खोलें।',
  quitKeep: 'चलने दें',
  quitNow: 'बंद करें',
  endTitle: 'सत्र समाप्त करें?',
  endText: 'रिकॉर्डिंग रुक जाएगी और जो बचा है वह भेजा जाएगा। समाप्त सत्र फिर से शुरू नहीं किया जा सकता।',
  endKeep: 'सत्र जारी रखें',
  endNow: 'सत्र समाप्त करें',
  failedTitle: 'यह प्रोग्राम शुरू नहीं हो सका',
  failedText: 'कुछ भी रिकॉर्ड नहीं हो रहा है। जो पहले रिकॉर्ड हुआ और नहीं भेजा गया, वह अब भी इस कंप्यूटर पर है। {detail}',
}

export const shellCatalogues = { en, hi } as const

/** The catalogue for a BCP 47 tag; English where there is none. */
export const textsFor = (locale: string): ShellTexts =>
  locale.toLowerCase().split('-')[0] === 'hi' ? shellCatalogues.hi : shellCatalogues.en

/** Fills `{name}` in. */
export const fillIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))

/** Bytes for people: KiB below one MiB, MiB above. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${Math.ceil(bytes / 1024)} KiB`
