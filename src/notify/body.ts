import { type MessageText, wholeText } from './text.ts';

export type Format = 'json' | 'slack' | 'teams';

export function bodyOf(message: MessageText, format: Format): object {
  if (format === 'slack') return slackBody(message);
  return format === 'teams' ? teamsBody(message) : { text: wholeText(message), ...linkOf(message), ...message.facts };
}

function linkOf({ link }: MessageText) {
  return link === null ? {} : { link };
}

const OPEN = 'Open';
/** Slack's limits of a header and of a text. */
const SLACK_HEADER = 150;
const SLACK_TEXT = 3_000;

/** Blocks of Slack's incoming webhooks. `text` is for system notifications. Plain text has no mark-up. */
function slackBody({ subject, lines, link }: MessageText) {
  const plain = (text: string, most: number) => ({
    type: 'plain_text',
    text: text.slice(0, most).toWellFormed(),
    emoji: false,
  });
  const body = lines.join('\n');
  const blocks = [
    { type: 'header', text: plain(subject, SLACK_HEADER) },
    ...(body === '' ? [] : [{ type: 'section', text: plain(body, SLACK_TEXT) }]),
    ...(link === null
      ? []
      : [{ type: 'actions', elements: [{ type: 'button', text: plain(OPEN, SLACK_HEADER), url: link }] }]),
  ];
  return { text: subject, blocks };
}

/** An Adaptive Card for the webhooks of Teams. A text run has no mark-up. */
function teamsBody({ subject, lines, link }: MessageText) {
  const block = (text: string, more: object) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block(subject, { weight: 'Bolder', size: 'Medium' }), ...lines.map((line) => block(line, {}))],
    ...(link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: OPEN, url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}
