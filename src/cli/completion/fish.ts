import { FILE_FLAGS, type Option, openPaths, type Place, valuedFlags } from './places.ts';

export function fishScript(places: readonly [Place, ...Place[]]): string {
  const [start, ...others] = places;
  const lines = [
    '# What completes stockbridge in fish. Once: stockbridge completion fish > ~/.config/fish/completions/stockbridge.fish',
    '',
    lineFunctions(places),
    '',
    'complete -c stockbridge -f',
    ...start.options.map((option) => optionLine(option, '')),
    ...others.flatMap(({ path, options }) =>
      options.map((option) => optionLine(option, ` -n '__stockbridge_in ${path}'`)),
    ),
    ...places.flatMap(({ path, words }) =>
      words.map(
        ({ name, summary }) => `complete -c stockbridge -n '__stockbridge_is ${path}' -a ${name} -d ${quoted(summary)}`,
      ),
    ),
  ];
  return lines.join('\n');
}

/** Functions that tell the words on the line, and the names that an operation takes. */
function lineFunctions(places: readonly Place[]): string {
  const names = (kind: 'params' | 'files') =>
    places
      .filter((place) => place[kind].length > 0)
      .map((place) => `        case '${place.path}'\n            printf '%s=\\n' ${place[kind].join(' ')}`)
      .join('\n');
  return `# The verb with the words that belong to it; of api, the operation.
function __stockbridge_path
    set -l path
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${valuedFlags(places).join(' ')}
            set skip 1
        else if not string match -q -- '-*' $word
            switch "$path"
                case ''
                    set path $word
                case ${openPaths(places).join(' ')}
                    set path "$path $word"
            end
        end
    end
    echo $path
end
function __stockbridge_is
    test (__stockbridge_path) = "$argv"
end
function __stockbridge_in
    string match -q -- "$argv*" (__stockbridge_path)
end
function __stockbridge_params
    switch (__stockbridge_path)
${names('params')}
    end
end
function __stockbridge_files
    set -l typed (commandline -ct)
    if string match -q -- '*=*' $typed
        set -l field (string split -m 1 = $typed)
        for path in (__fish_complete_path $field[2])
            echo "$field[1]=$path"
        end
        return
    end
    switch (__stockbridge_path)
${names('files')}
    end
end`;
}

function optionLine({ flag, summary, takesValue }: Option, where: string): string {
  return `complete -c stockbridge${where} -l ${flag.slice(2)}${valueOf(flag, takesValue)} -d ${quoted(summary)}`;
}

function valueOf(flag: string, takesValue: boolean): string {
  if (FILE_FLAGS.includes(flag)) return ' -r -F';
  if (flag === '--param') return " -x -a '(__stockbridge_params)'";
  if (flag === '--file') return " -x -a '(__stockbridge_files)'";
  return takesValue ? ' -x' : '';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
